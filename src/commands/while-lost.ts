import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../domain/errors.js';
import { step, type CommandContext } from './context.js';

/** Of several processes that change one claimant without a pause, each comes through within so many. */
const ATTEMPTS = 10;

/**
 * Runs `work` from the start, in a step of its own, while it is refused with the code `lost`: what it claimed was lost
 * to another change of the same claimant, or to its own slowness.
 */
export async function whileLost<T>(
  lost: string,
  context: CommandContext,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt === 1 ? context : step(context, `attempt ${attempt}`));
    } catch (error) {
      const isLost = error instanceof DomainError && error.code === lost;
      if (!isLost || attempt === ATTEMPTS) throw error;
      await pause(Math.random() * 2 ** attempt);
    }
  }
}
