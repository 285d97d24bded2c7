import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { Logger } from '../logger.js';
import { pause } from '../pause.js';

const EVERY_MS = 60_000;
const BETWEEN_BATCHES_MS = 100;
const BATCH = 5_000;

/** Removes deliveries a week after they were settled; answers with how many, a few thousand at most. */
export async function removeOldDeliveries(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ removed: number }>(sql`
    with removed as (
      delete from deliveries.deliveries where id = any(array(
        select id from deliveries.deliveries where settled_at < now() - interval '7 days'
        limit ${BATCH} for update skip locked)) returning 1)
    select count(*) as removed from removed`);
  return row?.removed ?? 0;
}

/** Removes old deliveries as they come of age, until it is aborted. */
export async function keepHouse(db: Queryable, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const removed = await removeOldDeliveries(db).catch((error: unknown) => {
      logger.warn({ err: error }, 'old deliveries were not removed');
      return 0;
    });
    await pause(removed === BATCH ? BETWEEN_BATCHES_MS : EVERY_MS, signal);
  }
}
