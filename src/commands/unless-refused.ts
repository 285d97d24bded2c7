import { DomainError } from '../domain/errors.js';

/** Resolves as `work` does, or with undefined if a rule refused it. */
export const unlessRefused = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, () => true);

/** Resolves as `work` does, or with undefined if it was refused as `not-found`; other refusals reject. */
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
