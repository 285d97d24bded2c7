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

/** The state of an account: its usage, its groups, and what applied to accounts without groups. */
export interface StandingAsOf {
  readonly usage: Required<Usage>;
  /** Reserved by operations in progress. Counted as used when more was requested. */
  readonly reserved: Usage;
  readonly own: readonly QuotaGroup[];
  readonly defaults: { readonly groups: readonly QuotaGroup[]; readonly total: bigint };
}

/** Computes the state of an account at `position` from the log alone; groups and their rules are sorted by name. */
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
