import type { Queryable } from '../../database/database.js';
import { listAccountsWithOverdueReservations } from '../../queries/quota/overdue-reservations.js';
import { systemCommand } from '../context.js';
import type { Storage } from './storage.js';

/**
 * Settles or releases the lapsed reservations of every account. Nothing depends on it, because the next command that
 * stores something does this for its own account. Resolves with the number of accounts that had some.
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
