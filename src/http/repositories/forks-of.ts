import { listBaseIds, listForkIds } from '../../queries/repositories/ownership.js';
import type { Actions } from '../actions.js';

/** The forks of a repository once everything up to a position is read: what commands on a base have to know. */
export const forksOf =
  ({ db, wrote }: Pick<Actions, 'db' | 'wrote'>) =>
  async (repositoryId: number, position: bigint): Promise<readonly number[]> => {
    await wrote(position);
    return listForkIds(db, repositoryId);
  };

/** As `forksOf`, the repositories of an account that have forks. */
export const basesOf =
  ({ db, wrote }: Pick<Actions, 'db' | 'wrote'>) =>
  async (ownerId: number, position: bigint): Promise<readonly number[]> => {
    await wrote(position);
    return listBaseIds(db, ownerId);
  };
