import { within } from '../../concurrency/within.js';

const ANSWER_WITHIN_MS = 3_000;

/**
 * Settles as `answer` does, or rejects after three seconds. Whoever watches a server gives up on it soon after:
 * Prometheus in ten seconds.
 */
export const inTime = <T>(answer: Promise<T>): Promise<T> =>
  within(
    ANSWER_WITHIN_MS,
    answer,
    () => new DOMException(`no answer within ${ANSWER_WITHIN_MS} ms`, 'TimeoutError'),
  );
