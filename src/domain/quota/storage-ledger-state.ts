import { Map, Set } from 'immutable';
import type { StorageLedgerEvent } from './storage-ledger-messages.js';
import { evolveLevels, noLevels, type Levels } from './thresholds.js';
import { siblingOf, usageSubjects, type Usage, type UsageSubject } from './subjects.js';

/** Bytes that an object is about to gain. They count as used until the reservation is settled or released. */
export interface OpenReservation {
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly bytes: bigint;
  /** RFC 3339. Until then only the reservation's maker may end it. */
  readonly expiresAt: string;
  /** The account that the object is transferred from. */
  readonly previousOwnerId?: number;
}

/** The state of an account's ledger. `usage` are the sums of the entries, without reservations. */
export interface StorageLedgerState {
  /** The bytes of objects, by `keyOf`. */
  readonly entries: Map<string, bigint>;
  readonly usage: Required<Usage>;
  readonly reservations: Map<string, OpenReservation>;
  /** Objects that the account no longer owns, so that earlier measurements of them are not recorded afterwards. */
  readonly forgotten: Set<string>;
  /** The thresholds that were recorded as reached. */
  readonly levels: Levels;
}

export const emptyLedger: StorageLedgerState = {
  entries: Map(),
  usage: nothingUsed(),
  reservations: Map(),
  forgotten: Set(),
  levels: noLevels,
};

/** Applies one event to the ledger. */
export function evolveLedger(state: StorageLedgerState, event: StorageLedgerEvent): StorageLedgerState {
  const { type, data } = event;
  const { entries, usage, reservations, forgotten } = state;
  switch (type) {
    case 'StorageReserved': {
      const { reservationId, objectId, subject, bytes, expiresAt, previousOwnerId } = data;
      const reservation = {
        objectId,
        subject,
        bytes: BigInt(bytes),
        expiresAt,
        ...(previousOwnerId !== undefined && { previousOwnerId }),
      };
      return {
        ...state,
        reservations: reservations.set(reservationId, reservation),
        forgotten: forgotten.delete(objectId),
      };
    }
    case 'ReservationRenewed': {
      const { reservationId, bytes, expiresAt } = data;
      const renewed = reservations.get(reservationId);
      if (!renewed) return state;
      return {
        ...state,
        reservations: reservations.set(reservationId, { ...renewed, bytes: BigInt(bytes), expiresAt }),
      };
    }
    case 'ReservationReleased':
      return { ...state, reservations: reservations.delete(data.reservationId) };
    case 'ReservationSettled':
      return { ...recorded(state, data), reservations: reservations.delete(data.reservationId) };
    case 'UsageRecorded':
      return recorded(state, data);
    case 'UsageMoved': {
      const { objectId, from, to, fromTotal, toTotal } = data;
      const moved = (entries.get(keyOf(objectId, to)) ?? 0n) + BigInt(data.bytes);
      return {
        ...state,
        entries: entries.delete(keyOf(objectId, from)).set(keyOf(objectId, to), moved),
        usage: { ...usage, [from]: BigInt(fromTotal), [to]: BigInt(toTotal) },
        reservations: reservations.map((reservation, id) =>
          data.reservationIds.includes(id) ? { ...reservation, subject: to } : reservation,
        ),
      };
    }
    case 'ObjectForgotten':
      return {
        ...state,
        entries: entries.deleteAll(data.entries.map(({ subject }) => keyOf(data.objectId, subject))),
        usage: {
          ...usage,
          ...Object.fromEntries(data.entries.map(({ subject, total }) => [subject, BigInt(total)])),
        },
        forgotten: forgotten.add(data.objectId),
      };
    case 'QuotaThresholdReached':
    case 'QuotaThresholdLeft':
      return { ...state, levels: evolveLevels(state.levels, event) };
  }
}

const recorded = (
  state: StorageLedgerState,
  {
    objectId,
    subject,
    bytes,
    total,
  }: { objectId: string; subject: UsageSubject; bytes: string; total: string },
): StorageLedgerState => ({
  ...state,
  entries: state.entries.set(keyOf(objectId, subject), BigInt(bytes)),
  usage: { ...state.usage, [subject]: BigInt(total) },
  forgotten: state.forgotten.delete(objectId),
});

/** Returns the bytes that are reserved, neither settled nor released; with the usage, they are what counts as used. */
export function reservedUsage({ reservations }: StorageLedgerState): Required<Usage> {
  const reserved = nothingUsed();
  for (const { subject, bytes } of reservations.values()) reserved[subject] += bytes;
  return reserved;
}

/** Returns the reservations whose lease has run out at `now`, by id. */
export const overdueReservations = (
  { reservations }: StorageLedgerState,
  now: Date,
): Map<string, OpenReservation> => reservations.filter((reservation) => isOverdue(reservation, now));

/** Far longer than any lease, and than clocks differ that agree. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;

/** Returns the latest end of a lease that counts at `now`, an hour later: only a clock that was ahead gave a later one. */
export const latestLeaseEnd = (now: Date): Date => new Date(now.getTime() + CLOCKS_DIFFER_MS);

/**
 * Tells whether the lease has run out at `now`, so that others may find out what came of the work, or ends later than any
 * that counts.
 */
export function isOverdue({ expiresAt }: OpenReservation, now: Date): boolean {
  const end = new Date(expiresAt);
  return end <= now || end > latestLeaseEnd(now);
}

/**
 * Returns the subject that an object counts under when it was measured under `subject`. If it is counted under the
 * other one of public and private, that one is returned: only a command of its own moves a repository between them, and
 * a measurement under the other one means the same bytes.
 */
export function placeOf(
  { entries }: StorageLedgerState,
  objectId: string,
  subject: UsageSubject,
): UsageSubject {
  const sibling = siblingOf(subject);
  return sibling && entries.has(keyOf(objectId, sibling)) ? sibling : subject;
}

/** Returns the account's usage under the subject if the object has this many bytes there. */
export const totalWith = (
  { entries, usage }: StorageLedgerState,
  objectId: string,
  subject: UsageSubject,
  bytes: string,
): string => (usage[subject] - (entries.get(keyOf(objectId, subject)) ?? 0n) + BigInt(bytes)).toString();

/** Returns the open reservations of an object, by id. */
export const reservationsOf = ({ reservations }: StorageLedgerState, objectId: string) =>
  reservations.filter((reservation) => reservation.objectId === objectId);

/** Returns the key of `entries` for an object's bytes under a subject. */
export const keyOf = (objectId: string, subject: UsageSubject) => `${subject} ${objectId}`;

function nothingUsed(): Record<UsageSubject, bigint> {
  return Object.fromEntries(usageSubjects.map((subject) => [subject, 0n])) as Record<UsageSubject, bigint>;
}
