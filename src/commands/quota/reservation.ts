import type { Position } from '../../event-store/event-store.js';
import type { UsageSubject } from '../../domain/quota/subjects.js';

/** The bytes of an object, and the subject that they count under. */
export interface StoredBytes {
  /** The object that the bytes belong to: the decimal id of the repository. */
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly bytes: bigint;
}

/** Bytes to add to those that the object has already. */
export interface StorageRequest extends StoredBytes {
  /** Whether to decide as if the bytes were not known (needs used < limit): for what is new and small. */
  readonly sizeUnknown?: boolean;
  /** The account that the object is transferred from, if it is; it forgets the object once this is settled. */
  readonly previousOwnerId?: number;
}

/** Room that is kept until the reservation is settled or released, or its lease runs out. */
export interface Reservation extends StorageRequest {
  /** The event that commits the work may carry this id, for a `SettleLookup` to find. */
  readonly id: string;
  readonly ownerId: number;
  readonly expiresAt: Date;
  readonly position: Position;
}
