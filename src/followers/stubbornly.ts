import type { DomainEvent } from '../domain/domain-event.js';
import type { Logger } from '../logger.js';
import { mayPass } from '../may-pass.js';
import { pause } from '../pause.js';

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 5_000;

/**
 * Does what follows from an event, again for as long as the trouble may pass. What is wrong with one event must not
 * hold all others up: it is passed over, with an error in the log and undefined as the answer, as when it is aborted.
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
      await pause(Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS), signal);
    }
  }
  return undefined;
}
