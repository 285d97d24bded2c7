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

/** The measurement of an object. */
interface Measured {
  readonly objectId: string;
  readonly subject: UsageSubject;
  /** In decimal digits. */
  readonly bytes: string;
  /** Whether the account certainly owns the object, even if it gave it up before. */
  readonly isOwned?: boolean;
}

/** Records a measurement, unless it changes nothing, or the account gave up the object and `isOwned` is not set. */
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

/** Counts an object, and what is reserved for it, under another subject from now on. */
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
