import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { still } from '../moment.js';

/**
 * Lists the ids of the accounts that have reservations whose lease has run out, or ends more than an hour later, because a
 * clock was ahead.
 */
export async function listAccountsWithOverdueReservations(
  db: Queryable,
  now: Date,
): Promise<readonly number[]> {
  const rows = await db.rows<{ account_id: number }>(sql`
    select distinct account_id from quota_reservations
    where valid_until = ${still} and (expires_at <= ${now} or expires_at > ${now}::timestamptz + interval '1 hour')
    order by account_id`);
  return rows.map((row) => row.account_id);
}
