import { Map, Set } from 'immutable';
import type { StorageLedgerEvent } from './storage-ledger-messages.js';
import { evolveLevels, noLevels, type Levels } from './thresholds.js';
import { siblingOf, usageSubjects, type Usage, type UsageSubject } from './subjects.js';

/** Bytes that an object is about to gain: they count as used until it is settled or released. */
export interface OpenReservation {
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly bytes: bigint;
  /** RFC 3339. Until then nobody else may say what came of it. */
  readonly expiresAt: string;
  /** The account that the object comes from. */
  readonly previousOwnerId?: number;
}

/** What one account stores: `usage` are the sums of the entries, without what is reserved. */
export interface StorageLedgerState {
  /** Bytes by subject and object. */
  readonly entries: Map<string, bigint>;
  readonly usage: Required<Usage>;
  readonly reservations: Map<string, OpenReservation>;
  /** Objects that are the account's no more, so that what was measured before is not written down after. */
  readonly forgotten: Set<string>;
  /** What was told of how full the account is. */
  readonly levels: Levels;
}

export const emptyLedger: StorageLedgerState = {
  entries: Map(),
  usage: nothingUsed(),
  reservations: Map(),
  forgotten: Set(),
  levels: noLevels,
};

/** The ledger after one more event. */
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

/** Bytes that are reserved and neither settled nor released; with what is recorded they are what counts as used. */
export function reservedUsage({ reservations }: StorageLedgerState): Required<Usage> {
  const reserved = nothingUsed();
  for (const { subject, bytes } of reservations.values()) reserved[subject] += bytes;
  return reserved;
}

/** The reservations whose lease has run out at `now`, by id. */
export const overdueReservations = (
  { reservations }: StorageLedgerState,
  now: Date,
): Map<string, OpenReservation> => reservations.filter((reservation) => isOverdue(reservation, now));

/** Whether its lease has run out at `now`: others may find out then what came of it. */
export const isOverdue = ({ expiresAt }: OpenReservation, now: Date) =>
  Date.parse(expiresAt) <= now.getTime();

/**
 * The subject under which an object that was measured under `subject` is counted. A repository moves between public and
 * private only by a command of its own: whoever measured it under the other one a moment ago means the same bytes.
 */
export function placeOf(
  { entries }: StorageLedgerState,
  objectId: string,
  subject: UsageSubject,
): UsageSubject {
  const sibling = siblingOf(subject);
  return sibling && entries.has(keyOf(objectId, sibling)) ? sibling : subject;
}

/** What the account uses under the subject once the object has so many bytes there. */
export const totalWith = (
  { entries, usage }: StorageLedgerState,
  objectId: string,
  subject: UsageSubject,
  bytes: string,
): string => (usage[subject] - (entries.get(keyOf(objectId, subject)) ?? 0n) + BigInt(bytes)).toString();

/** The open reservations of one object, by id. */
export const reservationsOf = ({ reservations }: StorageLedgerState, objectId: string) =>
  reservations.filter((reservation) => reservation.objectId === objectId);

/** The key among `entries` of what an object has under a subject. */
export const keyOf = (objectId: string, subject: UsageSubject) => `${subject} ${objectId}`;

function nothingUsed(): Record<UsageSubject, bigint> {
  return Object.fromEntries(usageSubjects.map((subject) => [subject, 0n])) as Record<UsageSubject, bigint>;
}
