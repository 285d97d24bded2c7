import type { Queryable } from '../../database/database.js';
import { listAccountsWithOverdueReservations } from '../../queries/quota/overdue-reservations.js';
import { systemCommand } from '../context.js';
import type { Storage } from './storage.js';

/**
 * Settles or releases the reservations of every account whose lease has run out. Nothing depends on it: whoever stores
 * something next would do it for that account. Gives the number of accounts that had some.
 */
export async function settleReservations({
  db,
  storage,
}: {
  readonly db: Queryable;
  readonly storage: Storage;
}): Promise<number> {
  const accountIds = await listAccountsWithOverdueReservations(db, new Date());
  for (const accountId of accountIds) await storage.settleOverdue(accountId, systemCommand());
  return accountIds.length;
}
