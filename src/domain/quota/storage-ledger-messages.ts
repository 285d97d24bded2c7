import type { Message } from '../decider.js';
import type { QuotaGroup } from './evaluation.js';
import type { QuotaSubject, UsageSubject } from './subjects.js';
import type { ThresholdEvent } from './thresholds.js';

/** Bytes as decimal digits, because JSON numbers are not exact beyond 2^53. */
type Bytes = string;

/** What a decision rests on besides the ledger, read anew in each attempt. */
export type QuotaFacts = {
  readonly account: { readonly id: number; readonly name: string };
  /** What applies to the account. */
  readonly groups: readonly QuotaGroup[];
  /** Of the streams that the groups were read from; -1 while a stream has no events. */
  readonly catalogueRevision: number;
  readonly membershipRevision: number;
  /** Of the newest event among the three streams. */
  readonly position: bigint;
  /** Reservations of others whose lease has run out, and what came of them: bytes, or null for nothing ever. */
  readonly overdue: readonly { readonly reservationId: string; readonly bytes: Bytes | null }[];
};

/** What applies to the account, for the thresholds that a change of what it stores crosses. */
type Limits = { readonly groups: readonly QuotaGroup[] };

type Object = { readonly objectId: string; readonly subject: UsageSubject };
type ReservedObject = Object & { readonly reservationId: string };

/** What one account's ledger is told. Those with `quota` may be refused for want of room; the others record what is. */
export type StorageLedgerCommand =
  | Message<'CheckRoom', { subject: QuotaSubject; quota: QuotaFacts; at: string }>
  | Message<
      'ReserveStorage',
      ReservedObject & {
        bytes: Bytes;
        previousOwnerId?: number;
        expiresAt: string;
        quota: QuotaFacts;
        at: string;
      }
    >
  /** `ahead` comes to the bytes as far as there is room for it: nobody is refused for its sake. */
  | Message<
      'RenewReservation',
      {
        reservationId: string;
        bytes: Bytes;
        ahead?: Bytes;
        expiresAt: string;
        quota: QuotaFacts;
        at: string;
      }
    >
  /** With `begins` the object began with the bytes: what was measured of it since then stands. */
  | Message<'SettleReservation', ReservedObject & Limits & { bytes: Bytes; begins?: boolean; at: string }>
  | Message<'ReleaseReservation', { reservationId: string; at: string }>
  | Message<'SettleOverdue', Limits & { overdue: QuotaFacts['overdue']; at: string }>
  /** `isOwned`: the object is the account's for certain, even if it had given it up. */
  | Message<'RecordUsage', Object & Limits & { bytes: Bytes; isOwned?: boolean; at: string }>
  | Message<'MoveUsage', Limits & { objectId: string; from: UsageSubject; to: UsageSubject; at: string }>
  | Message<'ForgetObject', Limits & { objectId: string; at: string }>;

/** What a decision on limits was made on, for whoever asks why. */
type DecidedOn = { catalogueRevision: number; membershipRevision: number };

// Stored for good: fields may be added, never renamed or removed. `total` is what the account uses under the subject.
/** What an account stores and keeps room for, and the thresholds that this crossed. */
export type StorageLedgerEvent =
  | ThresholdEvent
  | Message<
      'StorageReserved',
      ReservedObject &
        DecidedOn & { bytes: Bytes; previousOwnerId?: number; expiresAt: string; reservedAt: string }
    >
  | Message<
      'ReservationRenewed',
      ReservedObject &
        DecidedOn & {
          bytes: Bytes;
          /** So much of it was needed, where more is kept ahead of the need. */
          needed?: Bytes;
          expiresAt: string;
          renewedAt: string;
        }
    >
  | Message<'ReservationSettled', ReservedObject & { bytes: Bytes; total: Bytes; settledAt: string }>
  | Message<
      'ReservationReleased',
      ReservedObject & { bytes: Bytes; reason: 'failed' | 'expired' | 'forgotten'; releasedAt: string }
    >
  | Message<'UsageRecorded', Object & { bytes: Bytes; total: Bytes; recordedAt: string }>
  | Message<
      'UsageMoved',
      {
        objectId: string;
        from: UsageSubject;
        to: UsageSubject;
        bytes: Bytes;
        fromTotal: Bytes;
        toTotal: Bytes;
        /** Reservations of the object that moved along. */
        reservationIds: readonly string[];
        movedAt: string;
      }
    >
  | Message<
      'ObjectForgotten',
      {
        objectId: string;
        /** What it had, and what the account uses without it. */
        entries: readonly { readonly subject: UsageSubject; readonly bytes: Bytes; readonly total: Bytes }[];
        forgottenAt: string;
      }
    >;
