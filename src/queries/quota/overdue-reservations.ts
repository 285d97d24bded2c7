import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { latestLeaseEnd } from '../../domain/quota/storage-ledger-state.js';

/** The condition that a reservation is overdue at `now`, as `isOverdue` has it. */
export const overdue = (now: Date): Fragment =>
  fragment`(expires_at <= ${now} or expires_at > ${latestLeaseEnd(now)})`;

/** Lists the ids of the accounts that have overdue reservations. */
export async function listAccountsWithOverdueReservations(
  db: Queryable,
  now: Date,
): Promise<readonly number[]> {
  const rows = await db.rows<{ account_id: number }>(sql`
    select distinct account_id from quota_reservations
    where valid_until = ${still} and ${overdue(now)} order by account_id`);
  return rows.map((row) => row.account_id);
}
