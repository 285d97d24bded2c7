import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';

/** How many sessions of a database wait for a lock at this moment: all, or those of one name. */
export async function waitingForLocks(db: Queryable, applicationName = '%'): Promise<number> {
  const waiting = await db.rows(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name like ${applicationName}`);
  return waiting.length;
}
