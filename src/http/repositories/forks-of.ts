import type { Queryable } from '../../database/database.js';
import type { Position } from '../../event-store/event-store.js';
import { listBaseIds, listForkIds } from '../../queries/repositories/ownership.js';

/** Where repositories are looked up, and what waits until everything up to a position is found there. */
interface Reading {
  readonly db: Queryable;
  readonly wrote: (position: Position) => Promise<unknown>;
}

const onceShown =
  (list: (db: Queryable, id: number) => Promise<readonly number[]>) =>
  ({ db, wrote }: Reading) =>
  async (id: number, position: Position): Promise<readonly number[]> => {
    await wrote(position);
    return list(db, id);
  };

/** The forks of a repository once everything up to a position is read: what commands on a base have to know. */
export const forksOf = onceShown(listForkIds);

/** As `forksOf`, the repositories of an account that have forks. */
export const basesOf = onceShown(listBaseIds);
