import type { DataOf } from '../decider.js';
import { conflict } from '../errors.js';
import { evaluate } from './evaluation.js';
import { QuotaExceeded } from './quota-exceeded.js';
import type { QuotaFacts, StorageLedgerCommand, StorageLedgerEvent } from './storage-ledger-messages.js';
import {
  evolveLedger,
  isOverdue,
  keyOf,
  placeOf,
  reservedUsage,
  totalWith,
  type OpenReservation,
  type StorageLedgerState,
} from './storage-ledger-state.js';
import { recordUsage } from './storage-usage.js';
import { plus, type QuotaSubject } from './subjects.js';

/** The code of the refusal to renew what was released or settled meanwhile. */
export const RESERVATION_LAPSED = 'quota.reservation_lapsed';

/** Refuses where there is no room under a subject for something whose size is not known yet. */
export function checkRoom(
  { subject, quota, at }: DataOf<StorageLedgerCommand, 'CheckRoom'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const cleared = withoutOverdue(state, quota.overdue, at);
  checkQuota(cleared.state, quota, subject);
  return cleared.events;
}

/** Keeps room for what an object is about to gain. Refuses where there is none. */
export function reserve(
  { reservationId, objectId, subject: asked, bytes, ...data }: DataOf<StorageLedgerCommand, 'ReserveStorage'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const { previousOwnerId, expiresAt, quota, at } = data;
  const cleared = withoutOverdue(state, quota.overdue, at);
  const subject = placeOf(cleared.state, objectId, asked);
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

/** Keeps room for longer, and for more or less. Refuses where there is none, and what has lapsed. */
export function renew(
  data: DataOf<StorageLedgerCommand, 'RenewReservation'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const { reservationId, bytes: needed, ahead = '0', expiresAt, quota, at } = data;
  const reservation = state.reservations.get(reservationId);
  if (!reservation) throw conflict(RESERVATION_LAPSED, 'the reservation has lapsed');
  const { objectId, subject } = reservation;
  const cleared = withoutOverdue(state, quota.overdue, at);
  const more = BigInt(needed) - reservation.bytes;
  if (more > 0n) checkQuota(cleared.state, quota, subject, more);
  const fitting = aheadThatFits(
    BigInt(ahead),
    (extra) => verdictOn(cleared.state, quota, subject, more + extra).allowed,
  );
  const renewed: StorageLedgerEvent = {
    type: 'ReservationRenewed',
    data: {
      reservationId,
      objectId,
      subject,
      bytes: (BigInt(needed) + fitting).toString(),
      ...(fitting > 0n && { needed }),
      expiresAt,
      ...decidedOn(quota),
      renewedAt: at,
    },
  };
  return [...cleared.events, renewed];
}

/** Less than this is not worth keeping ahead. */
const LEAST_AHEAD = 64n * 1024n;

/** Near a limit it is less and less, so that the last byte there is can be had. */
function aheadThatFits(ahead: bigint, fits: (extra: bigint) => boolean): bigint {
  for (let extra = ahead; extra >= LEAST_AHEAD; extra /= 4n) if (fits(extra)) return extra;
  return 0n;
}

/** Records what the object has by now in place of what was reserved for it, also where the reservation has lapsed. */
export function settle(
  data: DataOf<StorageLedgerCommand, 'SettleReservation'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const { reservationId, objectId, subject, begins = false } = data;
  const measuredSince = begins
    ? state.entries.get(keyOf(objectId, placeOf(state, objectId, subject)))
    : undefined;
  const bytes = measuredSince?.toString() ?? data.bytes;
  const reservation = state.reservations.get(reservationId);
  return reservation
    ? [settled(state, reservationId, reservation, bytes, data.at)]
    : recordUsage({ objectId, subject, bytes }, state, data.at);
}

/** Gives up what was reserved: nothing came of it. */
export function release(
  { reservationId, at }: DataOf<StorageLedgerCommand, 'ReleaseReservation'>,
  { reservations }: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const reservation = reservations.get(reservationId);
  return reservation ? [released(reservationId, reservation, 'failed', at)] : [];
}

/** What becomes of the ledger once reservations whose lease has run out are settled, or released. */
export function withoutOverdue(
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

/** That an open reservation is none any more, and why. */
export const released = (
  reservationId: string,
  { objectId, subject, bytes }: OpenReservation,
  reason: 'failed' | 'expired' | 'forgotten',
  releasedAt: string,
): StorageLedgerEvent => ({
  type: 'ReservationReleased',
  data: { reservationId, objectId, subject, bytes: bytes.toString(), reason, releasedAt },
});

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

/** Refuses what no group that covers the subject allows. */
function checkQuota(
  state: StorageLedgerState,
  quota: QuotaFacts,
  subject: QuotaSubject,
  incoming?: bigint,
): void {
  const verdict = verdictOn(state, quota, subject, incoming);
  if (verdict.allowed) return;
  const [refusal] = verdict.refusals;
  const { account, position } = quota;
  throw new QuotaExceeded(account, { ...refusal, subject, incoming: incoming ?? null, position });
}

/** What the limits say of so many bytes more, beside all that is stored and reserved. */
const verdictOn = (
  state: StorageLedgerState,
  { groups }: QuotaFacts,
  subject: QuotaSubject,
  incoming?: bigint,
) => evaluate(groups, plus(state.usage, reservedUsage(state)), subject, incoming);

const decidedOn = ({ catalogueRevision, membershipRevision }: QuotaFacts) => ({
  catalogueRevision,
  membershipRevision,
});
