import { DomainError } from '../domain/errors.js';

/** What the work comes to; undefined where a rule refuses it, which is passed over. */
export const unlessRefused = <T>(work: Promise<T>): Promise<T | undefined> => unless(work, () => true);

/** As `unlessRefused`, where what the work is about is not there any more; any other refusal stands. */
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
