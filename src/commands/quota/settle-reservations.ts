import type { Queryable } from '../../database/queryable.js';
import { EventStoreUnavailable } from '../../event-store/event-store.js';
import type { Logger } from '../../logging/logger.js';
import { warning } from '../../logging/warning.js';
import { regularly } from '../../concurrency/regularly.js';
import { listAccountsWithOverdueReservations } from '../../queries/quota/overdue-reservations.js';
import { systemCommand } from '../context.js';
import type { Storage } from './storage.js';

/** What settling needs: the read model that tells whose reservations have lapsed, and the ledgers. */
export interface SettlingServices {
  readonly db: Queryable;
  readonly storage: Pick<Storage, 'settleOverdue'>;
}

const EVERY_MS = 60_000;

/** Runs `settleReservations` now, and again every minute, until aborted. Never rejects: what fails is tried again. */
export const keepSettling = (
  services: SettlingServices & { readonly logger: Logger },
  signal: AbortSignal,
  everyMs = EVERY_MS,
): Promise<void> =>
  regularly(
    () => settleReservations(services),
    everyMs,
    warning(services.logger, 'reservations of crashed writers are not settled yet'),
    signal,
  );

/**
 * Settles or releases the lapsed reservations of every account, so that what crashed writers left is shown. Decisions do
 * not depend on it, because whoever stores something next does this for its own account. Resolves with the number of
 * accounts that had some. One that fails does not keep the others waiting; the first error rejects in the end.
 */
export async function settleReservations({ db, storage }: SettlingServices): Promise<number> {
  const accountIds = await listAccountsWithOverdueReservations(db, new Date());
  const failures: unknown[] = [];
  for (const accountId of accountIds)
    await storage.settleOverdue(accountId, systemCommand()).catch((error: unknown) => {
      if (error instanceof EventStoreUnavailable) throw error; // as it would be for the others
      failures.push(error);
    });
  if (failures.length > 0) throw failures[0];
  return accountIds.length;
}
