import type { DataOf } from '../decider.js';
import type { StorageLedgerCommand, StorageLedgerEvent } from './storage-ledger-messages.js';
import {
  keyOf,
  placeOf,
  reservationsOf,
  totalWith,
  type StorageLedgerState,
} from './storage-ledger-state.js';
import type { UsageSubject } from './subjects.js';

/** An object as it was measured. */
interface Measured {
  readonly objectId: string;
  readonly subject: UsageSubject;
  /** Decimal digits. */
  readonly bytes: string;
  /** The object is the account's for certain, even if it had given it up. */
  readonly isOwned?: boolean;
}

/** Nothing where nothing changes, or the object is the account's no more, as far as anybody knows. */
export function recordUsage(
  { objectId, subject: measuredUnder, bytes, isOwned = false }: Measured,
  state: StorageLedgerState,
  recordedAt: string,
): readonly StorageLedgerEvent[] {
  const subject = placeOf(state, objectId, measuredUnder);
  const before = state.entries.get(keyOf(objectId, subject)) ?? 0n;
  if ((state.forgotten.has(objectId) && !isOwned) || before === BigInt(bytes)) return [];
  const total = totalWith(state, objectId, subject, bytes);
  return [{ type: 'UsageRecorded', data: { objectId, subject, bytes, total, recordedAt } }];
}

/** From now on the object, and what is reserved for it, is counted under another subject. */
export function moveUsage(
  { objectId, from, to, at }: DataOf<StorageLedgerCommand, 'MoveUsage'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const reservationIds = [...reservationsOf(state, objectId)]
    .filter(([, { subject }]) => subject === from)
    .map(([id]) => id);
  const bytes = state.entries.get(keyOf(objectId, from));
  if (bytes === undefined && reservationIds.length === 0) return [];
  const moved = bytes ?? 0n;
  const totals = {
    fromTotal: (state.usage[from] - moved).toString(),
    toTotal: (state.usage[to] + moved).toString(),
  };
  return [
    {
      type: 'UsageMoved',
      data: { objectId, from, to, bytes: moved.toString(), ...totals, reservationIds, movedAt: at },
    },
  ];
}
