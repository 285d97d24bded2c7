import type { QuotaGroup } from '../domain/quota/evaluation.js';
import { groupsOf } from '../domain/quota/groups.js';
import { QUOTA_CATALOGUE, QuotaCatalogue } from '../domain/quota/quota-catalogue.js';
import { QuotaMembership } from '../domain/quota/quota-membership.js';
import { StorageLedger } from '../domain/quota/storage-ledger.js';
import { reservedUsage } from '../domain/quota/storage-ledger-state.js';
import type { Usage } from '../domain/quota/subjects.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import { foldAsOf } from '../event-log/fold-as-of.js';

/** Where an account stood: what it used, the groups it was in, and what applied to whoever was in none. */
export interface StandingAsOf {
  readonly usage: Required<Usage>;
  /** What was reserved by work under way, and counted as used for whoever wanted more. */
  readonly reserved: Usage;
  readonly own: readonly QuotaGroup[];
  readonly defaults: { readonly groups: readonly QuotaGroup[]; readonly total: bigint };
}

/** The standing of an account at `position`, from the log alone; groups and their rules by name. */
export async function standingAsOf(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
  position: Position,
): Promise<StandingAsOf> {
  const [catalogue, membership, ledger] = await Promise.all([
    foldAsOf(log, QuotaCatalogue, QUOTA_CATALOGUE, position),
    foldAsOf(log, QuotaMembership, accountId, position),
    foldAsOf(log, StorageLedger, accountId, position),
  ]);
  return { usage: ledger.usage, reserved: reservedUsage(ledger), ...groupsOf(catalogue, membership) };
}
