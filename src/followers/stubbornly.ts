import type { DomainEvent } from '../domain/domain-event.js';
import type { Logger } from '../logging/logger.js';
import { mayPass } from '../failures/may-pass.js';
import { pause } from '../concurrency/pause.js';

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Does what follows from an event, and retries while the error may pass. Any other error must not hold up all later
 * events: it is logged, and the event is skipped. Resolves with undefined then, and when aborted.
 */
export async function stubbornly<T>(
  { stream, revision, type }: DomainEvent,
  work: () => Promise<T>,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<T | undefined> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await work();
    } catch (error) {
      const facts = { err: error, stream, revision, type };
      if (!mayPass(error) && attempt >= ATTEMPTS) {
        logger.error(facts, 'an event is passed over: what follows from it cannot be done');
        return undefined;
      }
      logger.warn(facts, 'what follows from an event could not be done: again');
      await pause(Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS), signal);
    }
  }
  return undefined;
}
