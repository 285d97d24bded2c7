import { hasCode } from '../domain/errors.js';

/**
 * Runs `work`, and again while it is refused with one of `codes`, which tell that another writer was first: `attempts`
 * times at most. `attempt` counts from 1. Rejects with the last refusal, and at once with any other error.
 */
export async function whileOvertaken<T>(
  codes: readonly string[],
  attempts: number,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!hasCode(error, ...codes) || attempt === attempts) throw error;
    }
  }
}
