import type { Position } from '../event-store/event-store.js';
import type { ReadYourWrites } from '../read-your-writes/read-your-writes.js';

/**
 * Whether all read models have passed a position, within two seconds. One that is stopped has not, where a request
 * would not wait for it: what is sent cannot be mended by the next request.
 */
export const readModelsReached =
  (readModels: Pick<ReadYourWrites, 'wait' | 'positions'>) =>
  async (position: Position): Promise<boolean> =>
    (await readModels.wait(position)) &&
    readModels.positions().every((progress) => progress.position >= position);
