import type { Position } from '../event-store/event-store.js';
import type { ReadYourWrites } from '../read-your-writes/read-your-writes.js';

/**
 * Returns a function that tells whether all read models have passed a position, waiting up to two seconds for them. A
 * stopped read model counts as not having passed it, although requests do not wait for those: a webhook that was sent with
 * old data cannot be corrected later.
 */
export const readModelsReached =
  (readModels: Pick<ReadYourWrites, 'wait' | 'shows'>) =>
  async (position: Position): Promise<boolean> =>
    (await readModels.wait(position)) && readModels.shows(position);
