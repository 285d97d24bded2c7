import { v4 } from 'uuid';
import { DomainError } from '../../domain/errors.js';
import { overdueReservations } from '../../domain/quota/storage-ledger-state.js';
import {
  RESERVATION_LAPSED,
  StorageLedger,
  type StorageLedgerCommand,
} from '../../domain/quota/storage-ledger.js';
import type { QuotaFacts } from '../../domain/quota/storage-ledger-messages.js';
import type { QuotaSubject, UsageSubject } from '../../domain/quota/subjects.js';
import type { Position } from '../../event-store/event-store.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { limitsOf } from './limits.js';
import { isArrival, outcomesOf, type Outcome, type SettleLookups } from './overdue.js';

export interface StorageOptions {
  readonly commands: CommandHandler;
  /** Whether limits bind; what is stored is recorded all the same. */
  readonly limited: boolean;
  readonly lookups?: SettleLookups;
  /** How long a reservation is its maker's alone; 120,000 by default. */
  readonly leaseMs?: number;
  readonly now?: () => Date;
}

/** Bytes of an object. */
export interface StoredBytes {
  /** What the bytes belong to: the decimal id of the repository. */
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly bytes: bigint;
}

/** Bytes that come to what the object has already. */
export interface StorageRequest extends StoredBytes {
  /** Where the object comes from another account: it is forgotten there once this is settled. */
  readonly previousOwnerId?: number;
}

/** Room that is kept for its maker until it is settled or released, or else until its lease runs out. */
export interface Reservation extends StorageRequest {
  /** The event that commits the work may carry it, for a `SettleLookup` to find. */
  readonly id: string;
  readonly ownerId: number;
  readonly expiresAt: Date;
  readonly position: Position;
}

const LEASE_MS = 120_000;

/**
 * What accounts store, and whether they may store more. A limit binds by an append to the owner's ledger at the
 * revision that was decided on: of two that race for the last room, one is refused. Every decision reads the limits
 * anew, so those acknowledged before it began count. What is refused throws `QuotaExceeded`.
 */
export class Storage {
  readonly #commands: CommandHandler;
  readonly #limited: boolean;
  readonly #lookups: SettleLookups;
  readonly #leaseMs: number;
  readonly #now: () => Date;

  constructor({
    commands,
    limited,
    lookups = {},
    leaseMs = LEASE_MS,
    now = () => new Date(),
  }: StorageOptions) {
    this.#commands = commands;
    this.#limited = limited;
    this.#lookups = lookups;
    this.#leaseMs = leaseMs;
    this.#now = now;
  }

  /** Refuses where the owner has no room left for something whose size is not known yet (used < limit). Keeps nothing. */
  async checkRoom(ownerId: number, subject: QuotaSubject, context: CommandContext): Promise<void> {
    await this.#decide(ownerId, context, (quota, at) => ({
      type: 'CheckRoom',
      data: { subject, quota, at },
    }));
  }

  /**
   * Keeps room for bytes that are known (used + bytes <= limit), before anything of them is visible. Whoever makes a
   * reservation settles it once the work is committed, or releases it. Where the object is counted under the other of
   * public and private by now, that one is decided on.
   */
  async reserve(ownerId: number, request: StorageRequest, context: CommandContext): Promise<Reservation> {
    const { objectId, subject, bytes, previousOwnerId } = request;
    const object = { objectId, subject, ...(previousOwnerId !== undefined && { previousOwnerId }) };
    const id = v4();
    const expiresAt = this.#leaseEnd();
    const reserved = {
      ...object,
      reservationId: id,
      bytes: bytes.toString(),
      expiresAt: expiresAt.toISOString(),
    };
    const position = await this.#decide(ownerId, context, (quota, at) => ({
      type: 'ReserveStorage',
      data: { ...reserved, quota, at },
    }));
    return { ...object, bytes, id, ownerId, expiresAt, position };
  }

  /**
   * Prolongs the lease, and decides again where it is for more bytes than before. Where it had lapsed and was given up
   * by somebody, room is looked for anew: the reservation has another id then.
   */
  async renew(
    reservation: Reservation,
    context: CommandContext,
    bytes = reservation.bytes,
  ): Promise<Reservation> {
    const { id, ownerId } = reservation;
    const expiresAt = this.#leaseEnd();
    try {
      const held = { reservationId: id, bytes: bytes.toString(), expiresAt: expiresAt.toISOString() };
      const position = await this.#decide(
        ownerId,
        context,
        (quota, at) => ({ type: 'RenewReservation', data: { ...held, quota, at } }),
        id,
      );
      return { ...reservation, bytes, expiresAt, position };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== RESERVATION_LAPSED) throw error;
      return this.reserve(ownerId, { ...reservation, bytes }, context);
    }
  }

  /**
   * The reservation, renewed where less than half of its lease is left. For the last moment before a commit, so that
   * work that took long commits nothing on room that was given away.
   */
  async keep(reservation: Reservation, context: CommandContext): Promise<Reservation> {
    const left = reservation.expiresAt.getTime() - this.#now().getTime();
    return left < this.#leaseMs / 2 ? this.renew(reservation, context) : reservation;
  }

  /**
   * Ends a reservation whose work is committed: the object has `bytesNow` in all. Never refuses, because what is stored
   * is stored; nothing is recorded for an object that the owner gave up meanwhile.
   */
  async settle(reservation: Reservation, bytesNow: bigint, context: CommandContext): Promise<Position> {
    const { id: reservationId, ownerId, objectId, subject, previousOwnerId } = reservation;
    // In this order, so that what a crash leaves open tells whoever settles it that there is something to forget.
    if (previousOwnerId !== undefined) await this.forget(previousOwnerId, objectId, context);
    const data = { reservationId, objectId, subject, bytes: bytesNow.toString(), at: this.#at() };
    return this.#handle(ownerId, { type: 'SettleReservation', data }, context);
  }

  /** Gives the room back: the work failed. Nothing where the reservation is settled or gone. */
  async release({ id: reservationId, ownerId }: Reservation, context: CommandContext): Promise<Position> {
    return this.#handle(
      ownerId,
      { type: 'ReleaseReservation', data: { reservationId, at: this.#at() } },
      context,
    );
  }

  /** Notes the bytes that an object has in all, as measured. Refuses nothing. */
  async record(
    ownerId: number,
    { objectId, subject, bytes }: StoredBytes,
    context: CommandContext,
  ): Promise<Position> {
    const data = { objectId, subject, bytes: bytes.toString(), at: this.#at() };
    return this.#handle(ownerId, { type: 'RecordUsage', data }, context);
  }

  /** Counts an object under another subject, its reservations included: it became public or private. */
  async move(
    ownerId: number,
    objectId: string,
    { from, to }: { readonly from: UsageSubject; readonly to: UsageSubject },
    context: CommandContext,
  ): Promise<Position> {
    return this.#handle(
      ownerId,
      { type: 'MoveUsage', data: { objectId, from, to, at: this.#at() } },
      context,
    );
  }

  /** The object is not the owner's any more: it was deleted, or went to another account. */
  async forget(ownerId: number, objectId: string, context: CommandContext): Promise<Position> {
    return this.#handle(ownerId, { type: 'ForgetObject', data: { objectId, at: this.#at() } }, context);
  }

  /** Settles or releases what crashed writers left behind: the owner's reservations whose lease has run out. */
  async settleOverdue(ownerId: number, context: CommandContext): Promise<Position> {
    const at = this.#at();
    const outcomes = async () => {
      const { state } = await this.#ledger(ownerId);
      return outcomesOf(ownerId, overdueReservations(state, new Date(at)), this.#lookups);
    };
    // Before the owner's own command: two that waited inside theirs for each other's ledger would wait forever.
    const arrived = new Set<string>();
    for (const { reservation } of (await outcomes()).filter(isArrival)) {
      if (reservation.previousOwnerId === undefined) continue;
      await this.forget(reservation.previousOwnerId, reservation.objectId, context);
      arrived.add(reservation.id);
    }
    const command = async () => {
      const ended = (await outcomes()).filter(
        (outcome) => !isArrival(outcome) || arrived.has(outcome.reservation.id),
      );
      return { type: 'SettleOverdue', data: { overdue: ended.map(asFact), at } } as const;
    };
    return this.#handle(ownerId, command, context);
  }

  /** Decides in the owner's ledger, on what its limits are while the attempt lasts; what came of `mine` nobody asks. */
  async #decide(
    ownerId: number,
    context: CommandContext,
    command: (quota: QuotaFacts, at: string) => StorageLedgerCommand,
    mine?: string,
  ): Promise<Position> {
    const at = this.#at();
    let outcomes: readonly Outcome[] = [];
    const attempt = async () => {
      const ledger = await this.#ledger(ownerId);
      const lapsed = overdueReservations(ledger.state, new Date(at)).delete(mine ?? '');
      outcomes = await outcomesOf(ownerId, lapsed, this.#lookups);
      const settled = outcomes.filter((outcome) => !isArrival(outcome)).map(asFact);
      const { groups, position, ...limits } = await limitsOf(this.#commands, ownerId);
      const quota = {
        ...limits,
        groups: this.#limited ? groups : [],
        position: position > ledger.position ? position : ledger.position,
        overdue: settled,
      };
      return command(quota, at);
    };
    const position = await this.#handle(ownerId, attempt, context);
    return outcomes.some(isArrival) ? this.settleOverdue(ownerId, context) : position;
  }

  #ledger(ownerId: number) {
    return this.#commands.load(StorageLedger, ownerId);
  }

  async #handle(
    ownerId: number,
    command: StorageLedgerCommand | (() => Promise<StorageLedgerCommand>),
    context: CommandContext,
  ): Promise<Position> {
    return (await this.#commands.handle(StorageLedger, ownerId, command, own(context))).position;
  }

  #leaseEnd(): Date {
    return new Date(this.#now().getTime() + this.#leaseMs);
  }

  /** The clock and not the request's: a lease is about what happens now, however long the request has taken. */
  #at(): string {
    return this.#now().toISOString();
  }
}

/** Each step is a command of its own, even in a request that is sent again: what it reserved then may be gone by now. */
const own = (context: CommandContext): CommandContext => ({
  ...context,
  commandId: v4(),
  correlationId: context.correlationId ?? context.commandId,
  repeatable: false,
});

const asFact = ({ reservation, bytes }: Outcome) => ({
  reservationId: reservation.id,
  bytes: bytes?.toString() ?? null,
});
