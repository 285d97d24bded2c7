import { DomainError } from '../domain/errors.js';

/** What the work comes to; undefined where what it is about is not there any more, which is passed over. */
export async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return undefined;
    throw error;
  }
}
