import type { Queryable } from '../database/database.js';
import { sql } from '../database/sql.js';
import { BATCH } from '../housekeeping.js';

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
