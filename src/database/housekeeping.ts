import type { Queryable } from './queryable.js';
import { sql, type Fragment } from './sql.js';
import type { Logger } from '../logging/logger.js';
import { pause } from '../concurrency/pause.js';

const EVERY_MS = 60_000;
const BETWEEN_BATCHES_MS = 100;
/** The most rows that one statement deletes. */
const BATCH = 5_000;

/** Which rows of a table are to be deleted, and the column that identifies them. */
export interface Outdated {
  readonly table: Fragment;
  readonly key: Fragment;
  readonly when: Fragment;
}

/** Deletes one batch of outdated rows, skipping those that are locked. Resolves with their number. */
export async function removeOutdated(db: Queryable, { table, key, when }: Outdated): Promise<number> {
  const [row] = await db.rows<{ removed: number }>(sql`
    with removed as (
      delete from ${table} where ${key} = any(array(
        select ${key} from ${table} where ${when} limit ${BATCH} for update skip locked)) returning 1)
    select count(*) as removed from removed`);
  return row?.removed ?? 0;
}

/**
 * Calls `remove`, which deletes a batch and resolves with its size, every minute, and sooner while batches are full;
 * until aborted.
 */
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
