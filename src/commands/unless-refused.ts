import { DomainError } from '../domain/errors.js';

/** Resolves as `work` does, or with undefined where a domain rule refused it. */
export const unlessRefused = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, () => true);

/** As `unlessRefused`, but only for refusals of kind `not-found`; others reject. */
export const unlessGone = <T>(work: Promise<T>): Promise<T | undefined> =>
  unless(work, ({ kind }) => kind === 'not-found');

async function unless<T>(
  work: Promise<T>,
  isPassedOver: (refusal: DomainError) => boolean,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && isPassedOver(error)) return undefined;
    throw error;
  }
}
