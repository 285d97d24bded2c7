import { randomUUID } from 'node:crypto';
import { hasCode } from '../../domain/errors.js';
import type { QuotaExceeded } from '../../domain/quota/quota-exceeded.js';
import { reservationsOf } from '../../domain/quota/storage-ledger-state.js';
import { RESERVATION_LAPSED } from '../../domain/quota/storage-reservations.js';
import type { QuotaSubject, UsageSubject } from '../../domain/quota/subjects.js';
import type { Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { SettleLookups } from './overdue.js';
import { OverdueReservations } from './overdue-reservations.js';
import { OwnerLedgers, type OwnerLedgersOptions } from './owner-ledgers.js';
import type { Reservation, StorageRequest, StoredBytes } from './reservation.js';
import { Room } from './room.js';

/** How storage is accounted for. A lapsed reservation whose subject has no lookup is released. */
export interface StorageOptions extends OwnerLedgersOptions {
  readonly lookups?: SettleLookups;
  /** Called with each refusal before it is thrown. */
  readonly onRefused?: (refused: QuotaExceeded, context: CommandContext) => void;
  /** How long a reservation is left to its maker, in ms; 120,000 by default. */
  readonly leaseMs?: number;
}

const LEASE_MS = 120_000;

/**
 * What accounts store, and whether they may store more. A limit is enforced by an append to the owner's ledger at the
 * revision that was decided on, so that of two requests that race for the last room one is refused. Every decision reads
 * the limits anew, so that changes acknowledged before it count. Refusals are `QuotaExceeded`.
 */
export class Storage {
  readonly #ledgers: OwnerLedgers;
  readonly #overdue: OverdueReservations;
  readonly #room: Room;
  readonly #leaseMs: number;

  constructor(options: StorageOptions) {
    this.#ledgers = new OwnerLedgers(options);
    this.#overdue = new OverdueReservations(this.#ledgers, options.lookups);
    this.#room = new Room(this.#ledgers, this.#overdue, options.onRefused);
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  /**
   * Refuses if the owner has no room left for bytes (needs used + bytes <= limit) or, without `bytes`, for something of
   * unknown size (needs used < limit). Reserves nothing.
   */
  async checkRoom(
    ownerId: number,
    subject: QuotaSubject,
    context: CommandContext,
    bytes?: bigint,
  ): Promise<void> {
    const asked = { subject, ...(bytes !== undefined && { bytes: bytes.toString() }) };
    await this.#room.decide(ownerId, context, (quota, at) => ({
      type: 'CheckRoom',
      data: { ...asked, quota, at },
    }));
  }

  /**
   * Reserves room for bytes (needs used + bytes <= limit), before any of them is visible. The caller must settle the
   * reservation once the work is committed, or release it. If the object is counted under the other of public and private
   * by now, that subject is decided on.
   */
  async reserve(ownerId: number, request: StorageRequest, context: CommandContext): Promise<Reservation> {
    const { objectId, subject, bytes, sizeUnknown, previousOwnerId } = request;
    const object = { objectId, subject, ...(previousOwnerId !== undefined && { previousOwnerId }) };
    const id = randomUUID();
    const expiresAt = this.#leaseEnd();
    const reserved = {
      ...object,
      reservationId: id,
      bytes: bytes.toString(),
      ...(sizeUnknown && { sizeUnknown }),
      expiresAt: expiresAt.toISOString(),
    };
    const { position } = await this.#room.decide(ownerId, context, (quota, at) => ({
      type: 'ReserveStorage',
      data: { ...reserved, quota, at },
    }));
    return { ...object, bytes, id, ownerId, expiresAt, position };
  }

  /**
   * Prolongs the lease, and decides again if it is for more bytes than before. `ahead` is reserved in addition, as far as
   * there is room. If the reservation had lapsed and was given up, a new one is made, with another id.
   */
  async renew(
    reservation: Reservation,
    context: CommandContext,
    bytes = reservation.bytes,
    ahead = 0n,
  ): Promise<Reservation> {
    const { id, ownerId } = reservation;
    const expiresAt = this.#leaseEnd();
    try {
      const held = {
        reservationId: id,
        bytes: bytes.toString(),
        ahead: ahead.toString(),
        expiresAt: expiresAt.toISOString(),
      };
      const { position, events } = await this.#room.decide(
        ownerId,
        context,
        (quota, at) => ({ type: 'RenewReservation', data: { ...held, quota, at } }),
        id,
      );
      const renewed = events.find((event) => event.type === 'ReservationRenewed');
      return { ...reservation, bytes: BigInt(renewed?.data.bytes ?? bytes), expiresAt, position };
    } catch (error) {
      if (!hasCode(error, RESERVATION_LAPSED)) throw error;
      return this.reserve(ownerId, { ...reservation, bytes }, context);
    }
  }

  /**
   * Ensures that the room is still kept right before a commit, at the object's present owner. Renews the reservation if
   * less than half of its lease is left, or more than all of it because the clock was set back, so that work that took
   * long does not commit on room that was given away. If the object has another owner by now, reserves there instead; if
   * it left its owner and came back, reserves again.
   */
  async keep(reservation: Reservation, ownerId: number, context: CommandContext): Promise<Reservation> {
    if (reservation.ownerId !== ownerId) {
      const moved = await this.reserve(ownerId, reservation, context);
      await this.release(reservation, step(context, 'release elsewhere'));
      return moved;
    }
    const left = reservation.expiresAt.getTime() - this.#ledgers.now().getTime();
    const isHeld = (await this.#ledgers.load(ownerId)).state.reservations.has(reservation.id);
    const isFresh = left >= this.#leaseMs / 2 && left <= this.#leaseMs;
    return isHeld && isFresh ? reservation : this.renew(reservation, context);
  }

  /**
   * Ends a reservation whose work is committed: the object has `bytesNow` bytes in all. Never refuses, because the bytes
   * are stored already. Records nothing for an object that the owner gave up meanwhile. If the object `begins` with the
   * bytes and was measured by another writer meanwhile, that measurement stands.
   */
  async settle(
    reservation: Reservation,
    bytesNow: bigint,
    context: CommandContext,
    { begins = false }: { readonly begins?: boolean } = {},
  ): Promise<Position> {
    const { id: reservationId, ownerId, objectId, subject, previousOwnerId } = reservation;
    // In this order, so that after a crash the open reservation tells that there is something to forget.
    if (previousOwnerId !== undefined) await this.forget(previousOwnerId, objectId, context, ownerId);
    const bytes = bytesNow.toString();
    const data = {
      reservationId,
      objectId,
      subject,
      bytes,
      ...(begins && { begins }),
      at: this.#ledgers.at(),
    };
    return this.#ledgers.change(ownerId, context, (groups) => ({
      type: 'SettleReservation',
      data: { ...data, groups },
    }));
  }

  /** Gives the room back after the work failed. Does nothing if the reservation is settled or released already. */
  async release({ id: reservationId, ownerId }: Reservation, context: CommandContext): Promise<Position> {
    const data = { reservationId, at: this.#ledgers.at() };
    return (await this.#ledgers.handle(ownerId, { type: 'ReleaseReservation', data }, context)).position;
  }

  /**
   * Records the measured bytes that an object has in all. Never refuses. `isOwned` is asked in each attempt: an object that
   * the owner gave up is recorded only if it says that the owner has it again.
   */
  async record(
    ownerId: number,
    { objectId, subject, bytes }: StoredBytes,
    context: CommandContext,
    isOwned: () => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<Position> {
    const data = { objectId, subject, bytes: bytes.toString(), at: this.#ledgers.at() };
    return this.#ledgers.change(ownerId, context, async (groups) => ({
      type: 'RecordUsage',
      data: { ...data, isOwned: await isOwned(), groups },
    }));
  }

  /**
   * Counts an object and its reservations under another subject, because it became public or private. `subjects` is asked
   * in each attempt, because it may have changed again.
   */
  async move(
    ownerId: number,
    objectId: string,
    subjects: () => Promise<{ readonly from: UsageSubject; readonly to: UsageSubject }>,
    context: CommandContext,
  ): Promise<Position> {
    const data = { objectId, at: this.#ledgers.at() };
    return this.#ledgers.change(ownerId, context, async (groups) => ({
      type: 'MoveUsage',
      data: { ...data, ...(await subjects()), groups },
    }));
  }

  /**
   * Removes an object that the owner no longer has: it was deleted, or went to `keeperIds`. If a transfer to the owner was cut
   * off before the account that had the object before forgot it, that one forgets it too, because nothing would tell so
   * afterwards.
   */
  async forget(
    ownerId: number,
    objectId: string,
    context: CommandContext,
    ...keeperIds: readonly number[]
  ): Promise<Position> {
    const { state } = await this.#ledgers.load(ownerId);
    for (const { previousOwnerId } of reservationsOf(state, objectId).values())
      if (previousOwnerId !== undefined && !keeperIds.includes(previousOwnerId))
        await this.forget(previousOwnerId, objectId, context, ownerId, ...keeperIds);
    const data = { objectId, at: this.#ledgers.at() };
    return this.#ledgers.change(ownerId, context, (groups) => ({
      type: 'ForgetObject',
      data: { ...data, groups },
    }));
  }

  /** Settles or releases the owner's lapsed reservations, which crashed writers left behind. */
  settleOverdue(ownerId: number, context: CommandContext): Promise<Position> {
    return this.#overdue.settle(ownerId, context);
  }

  #leaseEnd(): Date {
    return new Date(this.#ledgers.now().getTime() + this.#leaseMs);
  }
}
