import type { Decider } from '../decider.js';
import { conflict } from '../errors.js';
import { snapshotForm } from '../snapshot.js';
import { evaluate, type QuotaGroup } from './evaluation.js';
import { QuotaExceeded } from './quota-exceeded.js';
import type { QuotaFacts, StorageLedgerCommand, StorageLedgerEvent } from './storage-ledger-messages.js';
import {
  emptyLedger,
  evolveLedger,
  isOverdue,
  keyOf,
  placeOf,
  reservationsOf,
  reservedUsage,
  totalWith,
  type OpenReservation,
  type StorageLedgerState,
} from './storage-ledger-state.js';
import { crossings } from './thresholds.js';
import { plus, usageSubjects, type QuotaSubject, type UsageSubject } from './subjects.js';

export type { StorageLedgerCommand, StorageLedgerEvent } from './storage-ledger-messages.js';

/** What one account stores: the bytes of each object it owns, under the subject that counts them, and what is reserved. */
export const StorageLedger: Decider<StorageLedgerCommand, StorageLedgerEvent, StorageLedgerState> = {
  category: 'storageLedger',
  initialState: emptyLedger,
  snapshot: snapshotForm(2),

  evolve: evolveLedger,

  decide(command, state) {
    const events = decideStorage(command, state);
    const after = events.reduce(evolveLedger, state);
    if (after.usage === state.usage) return events;
    return [...events, ...crossings(after.levels, groupsOf(command), after.usage, command.data.at)];
  },
};

/** What changes of what is stored and reserved, apart from the thresholds that this crosses. */
function decideStorage(
  { type, data }: StorageLedgerCommand,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const { at } = data;
  switch (type) {
    case 'CheckRoom': {
      const cleared = cleaned(state, data.quota.overdue, at);
      checkQuota(cleared.state, data.quota, data.subject);
      return cleared.events;
    }
    case 'ReserveStorage': {
      const { reservationId, objectId, bytes, previousOwnerId, expiresAt, quota } = data;
      const cleared = cleaned(state, quota.overdue, at);
      const subject = placeOf(cleared.state, objectId, data.subject);
      // What measures as nothing (a name for what is there already) takes a little nevertheless.
      checkQuota(cleared.state, quota, subject, BigInt(bytes) || 1n);
      const reserved: StorageLedgerEvent = {
        type: 'StorageReserved',
        data: {
          reservationId,
          objectId,
          subject,
          bytes,
          ...(previousOwnerId !== undefined && { previousOwnerId }),
          expiresAt,
          ...decidedOn(quota),
          reservedAt: at,
        },
      };
      return [...cleared.events, reserved];
    }
    case 'RenewReservation': {
      const { reservationId, bytes, expiresAt, quota } = data;
      const renewed = state.reservations.get(reservationId);
      if (!renewed) throw conflict(RESERVATION_LAPSED, 'the reservation has lapsed');
      const { objectId, subject } = renewed;
      const cleared = cleaned(state, quota.overdue, at);
      const more = BigInt(bytes) - renewed.bytes;
      if (more > 0n) checkQuota(cleared.state, quota, subject, more);
      const renewal: StorageLedgerEvent = {
        type: 'ReservationRenewed',
        data: { reservationId, objectId, subject, bytes, expiresAt, ...decidedOn(quota), renewedAt: at },
      };
      return [...cleared.events, renewal];
    }
    case 'SettleReservation': {
      const { reservationId, objectId, subject, begins = false } = data;
      const reservation = state.reservations.get(reservationId);
      const since = begins
        ? state.entries.get(keyOf(objectId, placeOf(state, objectId, subject)))
        : undefined;
      const bytes = since?.toString() ?? data.bytes;
      return reservation
        ? [settled(state, reservationId, reservation, bytes, at)]
        : usageRecorded(state, { objectId, subject, bytes }, at);
    }
    case 'ReleaseReservation': {
      const reservation = state.reservations.get(data.reservationId);
      return reservation ? [released(data.reservationId, reservation, 'failed', at)] : [];
    }
    case 'SettleOverdue':
      return cleaned(state, data.overdue, at).events;
    case 'RecordUsage':
      return usageRecorded(state, data, at);
    case 'MoveUsage': {
      const { objectId, from, to } = data;
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
    case 'ForgetObject': {
      const { objectId } = data;
      const entries = usageSubjects.flatMap((subject) => {
        const bytes = state.entries.get(keyOf(objectId, subject));
        if (bytes === undefined) return [];
        return [{ subject, bytes: bytes.toString(), total: (state.usage[subject] - bytes).toString() }];
      });
      const open = [...reservationsOf(state, objectId)];
      if (entries.length === 0 && open.length === 0) return [];
      return [
        ...open.map(([id, reservation]) => released(id, reservation, 'forgotten', at)),
        { type: 'ObjectForgotten', data: { objectId, entries, forgottenAt: at } },
      ];
    }
  }
}

/** Releasing changes nothing that is stored, so it is not told what applies. */
const groupsOf = ({ data }: StorageLedgerCommand): readonly QuotaGroup[] =>
  'quota' in data ? data.quota.groups : 'groups' in data ? data.groups : [];

/** The code of the refusal to renew what was released or settled meanwhile. */
export const RESERVATION_LAPSED = 'quota.reservation_lapsed';

/** Refuses what no group that covers the subject allows. */
function checkQuota(
  state: StorageLedgerState,
  { groups, account, position }: QuotaFacts,
  subject: QuotaSubject,
  incoming?: bigint,
): void {
  const verdict = evaluate(groups, plus(state.usage, reservedUsage(state)), subject, incoming);
  if (verdict.allowed) return;
  const [refusal] = verdict.refusals;
  throw new QuotaExceeded(account, { ...refusal, subject, incoming: incoming ?? null, position });
}

/** What becomes of the ledger once reservations whose lease has run out are settled, or released. */
function cleaned(
  before: StorageLedgerState,
  overdue: QuotaFacts['overdue'],
  at: string,
): { readonly state: StorageLedgerState; readonly events: readonly StorageLedgerEvent[] } {
  const events: StorageLedgerEvent[] = [];
  let state = before;
  for (const { reservationId, bytes } of overdue) {
    const reservation = state.reservations.get(reservationId);
    if (!reservation || !isOverdue(reservation, new Date(at))) continue;
    const event =
      bytes === null
        ? released(reservationId, reservation, 'expired', at)
        : settled(state, reservationId, reservation, bytes, at);
    state = evolveLedger(state, event);
    events.push(event);
  }
  return { state, events };
}

function settled(
  state: StorageLedgerState,
  reservationId: string,
  { objectId, subject }: OpenReservation,
  bytes: string,
  settledAt: string,
): StorageLedgerEvent {
  const place = placeOf(state, objectId, subject);
  const total = totalWith(state, objectId, place, bytes);
  return {
    type: 'ReservationSettled',
    data: { reservationId, objectId, subject: place, bytes, total, settledAt },
  };
}

const released = (
  reservationId: string,
  { objectId, subject, bytes }: OpenReservation,
  reason: 'failed' | 'expired' | 'forgotten',
  releasedAt: string,
): StorageLedgerEvent => ({
  type: 'ReservationReleased',
  data: { reservationId, objectId, subject, bytes: bytes.toString(), reason, releasedAt },
});

/** Nothing where nothing changes, or the object is the account's no more, as far as anybody knows. */
function usageRecorded(
  state: StorageLedgerState,
  {
    objectId,
    subject: wanted,
    bytes,
    isOwned = false,
  }: { objectId: string; subject: UsageSubject; bytes: string; isOwned?: boolean },
  recordedAt: string,
): readonly StorageLedgerEvent[] {
  const subject = placeOf(state, objectId, wanted);
  const before = state.entries.get(keyOf(objectId, subject)) ?? 0n;
  if ((state.forgotten.has(objectId) && !isOwned) || before === BigInt(bytes)) return [];
  const total = totalWith(state, objectId, subject, bytes);
  return [{ type: 'UsageRecorded', data: { objectId, subject, bytes, total, recordedAt } }];
}

const decidedOn = ({ catalogueRevision, membershipRevision }: QuotaFacts) => ({
  catalogueRevision,
  membershipRevision,
});
