import type { Queryable } from './database/database.js';
import { sql, type Fragment } from './database/sql.js';
import type { Logger } from './logger.js';
import { pause } from './pause.js';

const EVERY_MS = 60_000;
const BETWEEN_BATCHES_MS = 100;
/** Rows that go in one statement at most. */
const BATCH = 5_000;

/** Rows of a table that are to go, and the column that tells them apart. */
export interface Outdated {
  readonly table: Fragment;
  readonly key: Fragment;
  readonly when: Fragment;
}

/** Removes a batch of them at most, leaving out those that somebody else has locked; answers with how many. */
export async function removeOutdated(db: Queryable, { table, key, when }: Outdated): Promise<number> {
  const [row] = await db.rows<{ removed: number }>(sql`
    with removed as (
      delete from ${table} where ${key} = any(array(
        select ${key} from ${table} where ${when} limit ${BATCH} for update skip locked)) returning 1)
    select count(*) as removed from removed`);
  return row?.removed ?? 0;
}

/** Has what is too old removed, batch by batch, as it comes of age; until it is aborted. `remove` answers with how many. */
export async function keepHouse(
  remove: () => Promise<number>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const removed = await remove().catch((error: unknown) => {
      logger.warn({ err: error }, 'what is too old was not removed');
      return 0;
    });
    await pause(removed === BATCH ? BETWEEN_BATCHES_MS : EVERY_MS, signal);
  }
}
