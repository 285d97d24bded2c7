import { DomainError } from '../domain/errors.js';

/**
 * Does `work`, and does it anew while it is refused with one of these codes, since somebody else was quicker: `attempts` times
 * in all. `attempt` counts from 1. Rejects with what the last attempt was refused with, and at once with any other error.
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
      const isOvertaken = error instanceof DomainError && codes.includes(error.code);
      if (!isOvertaken || attempt === attempts) throw error;
    }
  }
}
