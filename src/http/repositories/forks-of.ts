import type { Queryable } from '../../database/queryable.js';
import type { Position } from '../../event-store/event-store.js';
import { listBaseIds, listForkIds } from '../../queries/repositories/ownership.js';

/** The read models, and how to wait until they show everything up to a position. */
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

/** Lists a repository's forks once the read models show a position, because commands on a base must know them all. */
export const forksOf = onceShown(listForkIds);

/** As `forksOf`, but lists the repositories of an account that have forks. */
export const basesOf = onceShown(listBaseIds);
