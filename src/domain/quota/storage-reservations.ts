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

/** The code of the refusal to renew a reservation that was released or settled meanwhile. */
export const RESERVATION_LAPSED = 'quota.reservation_lapsed';

/** Refuses if there is no room under a subject for these bytes, or for something of unknown size. */
export function checkRoom(
  { subject, bytes, quota, at }: DataOf<StorageLedgerCommand, 'CheckRoom'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const cleared = withoutOverdue(state, quota.overdue, at);
  checkQuota(cleared.state, quota, subject, bytes === undefined ? undefined : roomFor(bytes));
  return cleared.events;
}

/** Reserves room for bytes that an object is about to gain. Refuses if there is none. */
export function reserve(
  { reservationId, objectId, subject: asked, bytes, ...data }: DataOf<StorageLedgerCommand, 'ReserveStorage'>,
  state: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const { sizeUnknown = false, previousOwnerId, expiresAt, quota, at } = data;
  const cleared = withoutOverdue(state, quota.overdue, at);
  const subject = placeOf(cleared.state, objectId, asked);
  checkQuota(cleared.state, quota, subject, sizeUnknown ? undefined : roomFor(bytes));
  const reserved: StorageLedgerEvent = {
    type: 'StorageReserved',
    data: {
      reservationId,
      objectId,
      subject,
      bytes,
      ...(sizeUnknown && { sizeUnknown }),
      ...(previousOwnerId !== undefined && { previousOwnerId }),
      expiresAt,
      ...decidedOn(quota),
      reservedAt: at,
    },
  };
  return [...cleared.events, reserved];
}

/** Returns the bytes to decide on: work of 0 (such as a new name for an existing object) still takes some room. */
export const roomFor = (bytes: string): bigint => BigInt(bytes) || 1n;

/** Prolongs a reservation, for more or fewer bytes. Refuses if there is no room, or if it has lapsed. */
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

/** The least number of bytes that is worth reserving ahead. */
const LEAST_AHEAD = 64n * 1024n;

/** Returns how many bytes to reserve ahead: less and less near a limit, so that its last byte can be used. */
function aheadThatFits(ahead: bigint, fits: (extra: bigint) => boolean): bigint {
  for (let extra = ahead; extra >= LEAST_AHEAD; extra /= 4n) if (fits(extra)) return extra;
  return 0n;
}

/** Records the object's bytes in place of the reservation, even if that has lapsed. */
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

/** Releases a reservation of work that stored nothing. */
export function release(
  { reservationId, at }: DataOf<StorageLedgerCommand, 'ReleaseReservation'>,
  { reservations }: StorageLedgerState,
): readonly StorageLedgerEvent[] {
  const reservation = reservations.get(reservationId);
  return reservation ? [released(reservationId, reservation, 'failed', at)] : [];
}

/** Settles or releases reservations whose lease has run out. Returns the resulting state and the events. */
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

/** Makes the event that an open reservation was released, and why. */
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

/** Refuses bytes that no group that covers the subject allows. */
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

/** Evaluates the limits for more bytes, in addition to all that is stored and reserved. */
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
