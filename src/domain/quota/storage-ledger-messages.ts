import type { Message } from '../decider.js';
import type { Digits } from './digits.js';
import type { QuotaGroup } from './evaluation.js';
import type { QuotaSubject, UsageSubject } from './subjects.js';
import type { ThresholdEvent } from './thresholds.js';

/** The facts that a decision rests on besides the ledger. They are read anew in each attempt. */
export type QuotaFacts = {
  readonly account: { readonly id: number; readonly name: string };
  /** The groups that apply to the account. */
  readonly groups: readonly QuotaGroup[];
  /** The revisions of the streams that the groups were read from; -1 for a stream without events. */
  readonly catalogueRevision: number;
  readonly membershipRevision: number;
  /** The position of the newest event in those streams, the ledger and the account's own. */
  readonly position: bigint;
  /** Lapsed reservations of others, and their outcome: the object's bytes, or null if nothing will ever be stored. */
  readonly overdue: readonly { readonly reservationId: string; readonly bytes: Digits | null }[];
};

/** The groups that apply to the account, for the thresholds that a change of its usage crosses. */
type Limits = { readonly groups: readonly QuotaGroup[] };

type Object = { readonly objectId: string; readonly subject: UsageSubject };
type ReservedObject = Object & { readonly reservationId: string };

/** The commands of an account's ledger. Those with `quota` are refused if there is no room; the others record facts. */
export type StorageLedgerCommand =
  /** Without `bytes`, for something of unknown size. */
  | Message<'CheckRoom', { subject: QuotaSubject; bytes?: Digits; quota: QuotaFacts; at: string }>
  /** `sizeUnknown`: decided as if the bytes, which are few, were not known yet. */
  | Message<
      'ReserveStorage',
      ReservedObject & {
        bytes: Digits;
        sizeUnknown?: boolean;
        previousOwnerId?: number;
        expiresAt: string;
        quota: QuotaFacts;
        at: string;
      }
    >
  /** `ahead` is added to `bytes` as far as there is room; it never causes a refusal. */
  | Message<
      'RenewReservation',
      {
        reservationId: string;
        bytes: Digits;
        ahead?: Digits;
        expiresAt: string;
        quota: QuotaFacts;
        at: string;
      }
    >
  /** `begins`: the object began with these bytes, so that a measurement made since stands. */
  | Message<'SettleReservation', ReservedObject & Limits & { bytes: Digits; begins?: boolean; at: string }>
  | Message<'ReleaseReservation', { reservationId: string; at: string }>
  | Message<'SettleOverdue', Limits & { overdue: QuotaFacts['overdue']; at: string }>
  /** `isOwned`: the account certainly owns the object, even if it gave it up before. */
  | Message<'RecordUsage', Object & Limits & { bytes: Digits; isOwned?: boolean; at: string }>
  | Message<'MoveUsage', Limits & { objectId: string; from: UsageSubject; to: UsageSubject; at: string }>
  /** `isOwned`: the account has the object, or may be about to get it back, and does not forget it. */
  | Message<'ForgetObject', Limits & { objectId: string; isOwned?: boolean; at: string }>;

/** The revisions that a decision on limits was based on, for explanations. */
type DecidedOn = { catalogueRevision: number; membershipRevision: number };

// Stored for good: fields may be added, never renamed or removed. `total` is the account's usage under the subject.
/** The events of an account's usage and reservations, and of the thresholds that they crossed. */
export type StorageLedgerEvent =
  | ThresholdEvent
  | Message<
      'StorageReserved',
      ReservedObject &
        DecidedOn & {
          bytes: Digits;
          /** Present if it was decided on as if the bytes were not known. */
          sizeUnknown?: true;
          previousOwnerId?: number;
          expiresAt: string;
          reservedAt: string;
        }
    >
  | Message<
      'ReservationRenewed',
      ReservedObject &
        DecidedOn & {
          bytes: Digits;
          /** The part of the bytes that was needed; absent if nothing was reserved ahead. */
          needed?: Digits;
          expiresAt: string;
          renewedAt: string;
        }
    >
  | Message<'ReservationSettled', ReservedObject & { bytes: Digits; total: Digits; settledAt: string }>
  | Message<
      'ReservationReleased',
      ReservedObject & { bytes: Digits; reason: 'failed' | 'expired' | 'forgotten'; releasedAt: string }
    >
  | Message<'UsageRecorded', Object & { bytes: Digits; total: Digits; recordedAt: string }>
  | Message<
      'UsageMoved',
      {
        objectId: string;
        from: UsageSubject;
        to: UsageSubject;
        bytes: Digits;
        fromTotal: Digits;
        toTotal: Digits;
        /** The reservations of the object that were moved as well. */
        reservationIds: readonly string[];
        movedAt: string;
      }
    >
  | Message<
      'ObjectForgotten',
      {
        objectId: string;
        /** The object's bytes, and the account's usage without them. */
        entries: readonly {
          readonly subject: UsageSubject;
          readonly bytes: Digits;
          readonly total: Digits;
        }[];
        forgottenAt: string;
      }
    >;
