import { randomUUID } from 'node:crypto';
import { hasCode } from '../../domain/errors.js';
import type { QuotaGroup } from '../../domain/quota/evaluation.js';
import { QuotaExceeded } from '../../domain/quota/quota-exceeded.js';
import { overdueReservations, reservationsOf } from '../../domain/quota/storage-ledger-state.js';
import {
  StorageLedger,
  type StorageLedgerCommand,
  type StorageLedgerEvent,
} from '../../domain/quota/storage-ledger.js';
import type { QuotaFacts } from '../../domain/quota/storage-ledger-messages.js';
import { RESERVATION_LAPSED } from '../../domain/quota/storage-reservations.js';
import type { QuotaSubject, UsageSubject } from '../../domain/quota/subjects.js';
import { later, type Position } from '../../event-store/event-store.js';
import { ownCommand, step, type CommandContext } from '../context.js';
import type { CommandHandler, Handled } from '../handle.js';
import { limitsOf } from './limits.js';
import {
  departedFrom,
  isDeparture,
  outcomesOf,
  type Departure,
  type Outcome,
  type SettleLookups,
} from './overdue.js';

/** How storage is accounted for. A lapsed reservation whose subject has no lookup is released. */
export interface StorageOptions {
  readonly commands: CommandHandler;
  /** Whether limits are enforced; what is stored is recorded in any case. */
  readonly limited: boolean;
  readonly lookups?: SettleLookups;
  /** Called with each refusal before it is thrown. */
  readonly onRefused?: (refused: QuotaExceeded, context: CommandContext) => void;
  /** How long a reservation is left to its maker, in ms; 120,000 by default. */
  readonly leaseMs?: number;
  readonly now?: () => Date;
}

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

type Decided = Pick<Handled<StorageLedgerEvent>, 'events' | 'position'>;

const LEASE_MS = 120_000;

/**
 * What accounts store, and whether they may store more. A limit is enforced by an append to the owner's ledger at the
 * revision that was decided on, so that of two requests that race for the last room one is refused. Every decision reads
 * the limits anew, so that changes acknowledged before it count. Refusals are `QuotaExceeded`.
 */
export class Storage {
  readonly #leaseMs: number;

  constructor(private readonly options: StorageOptions) {
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  /** Refuses if the owner has no room left for something of unknown size (needs used < limit). Reserves nothing. */
  async checkRoom(ownerId: number, subject: QuotaSubject, context: CommandContext): Promise<void> {
    await this.#decide(ownerId, context, (quota, at) => ({
      type: 'CheckRoom',
      data: { subject, quota, at },
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
    const { position } = await this.#decide(ownerId, context, (quota, at) => ({
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
      const { position, events } = await this.#decide(
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
    const left = reservation.expiresAt.getTime() - this.#now().getTime();
    const isHeld = (await this.#ledger(ownerId)).state.reservations.has(reservation.id);
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
    const data = { reservationId, objectId, subject, bytes, ...(begins && { begins }), at: this.#at() };
    return this.#change(ownerId, context, (groups) => ({
      type: 'SettleReservation',
      data: { ...data, groups },
    }));
  }

  /** Gives the room back after the work failed. Does nothing if the reservation is settled or released already. */
  async release({ id: reservationId, ownerId }: Reservation, context: CommandContext): Promise<Position> {
    return this.#handle(
      ownerId,
      { type: 'ReleaseReservation', data: { reservationId, at: this.#at() } },
      context,
    );
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
    const data = { objectId, subject, bytes: bytes.toString(), at: this.#at() };
    return this.#change(ownerId, context, async (groups) => ({
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
    const data = { objectId, at: this.#at() };
    return this.#change(ownerId, context, async (groups) => ({
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
    const { state } = await this.#ledger(ownerId);
    for (const { previousOwnerId } of reservationsOf(state, objectId).values())
      if (previousOwnerId !== undefined && !keeperIds.includes(previousOwnerId))
        await this.forget(previousOwnerId, objectId, context, ownerId, ...keeperIds);
    const data = { objectId, at: this.#at() };
    return this.#change(ownerId, context, (groups) => ({ type: 'ForgetObject', data: { ...data, groups } }));
  }

  /** Settles or releases the owner's lapsed reservations, which crashed writers left behind. */
  async settleOverdue(ownerId: number, context: CommandContext): Promise<Position> {
    const at = this.#at();
    const outcomes = async () => {
      const { state } = await this.#ledger(ownerId);
      return outcomesOf(ownerId, overdueReservations(state, new Date(at)), this.options.lookups);
    };
    // Before the owner's own command: two commands that waited for each other's ledger inside their own would deadlock.
    const departed = new Set<string>();
    for (const departure of (await outcomes()).filter(isDeparture))
      if (await this.#leave(departure, context)) departed.add(departure.reservation.id);
    const command = async () => {
      const ended = (await outcomes()).filter(
        (outcome) => !isDeparture(outcome) || departed.has(outcome.reservation.id),
      );
      const groups = await this.#groups(ownerId);
      return { type: 'SettleOverdue', data: { overdue: ended.map(asFact), groups, at } } as const;
    };
    return this.#handle(ownerId, command, context);
  }

  /**
   * Has the account that an object was transferred from forget it. Resolves with false if the object has returned, or may be
   * about to: whoever transfers it settles it, as nobody here holds the repository's lock.
   */
  async #leave({ reservation, departedFrom: leftId }: Departure, context: CommandContext): Promise<boolean> {
    const { objectId } = reservation;
    let hasLeft = false;
    await this.#change(leftId, context, async (groups) => {
      const { state } = await this.#ledger(leftId);
      const returns = reservationsOf(state, objectId).some((open) => open.previousOwnerId !== undefined);
      hasLeft = !returns && (await departedFrom(reservation, this.options.lookups)) !== undefined;
      return { type: 'ForgetObject', data: { objectId, isOwned: !hasLeft, groups, at: this.#at() } };
    });
    return hasLeft;
  }

  /**
   * Decides in the owner's ledger, on its limits at the time of each attempt. Leaves the caller's own reservation `mine`
   * open.
   */
  async #decide(
    ownerId: number,
    context: CommandContext,
    command: (quota: QuotaFacts, at: string) => StorageLedgerCommand,
    mine?: string,
  ): Promise<Decided> {
    let outcomes: readonly Outcome[] = [];
    const attempt = async () => {
      const at = this.#at();
      const ledger = await this.#ledger(ownerId);
      const lapsed = overdueReservations(ledger.state, new Date(at)).delete(mine ?? '');
      outcomes = await outcomesOf(ownerId, lapsed, this.options.lookups);
      const settled = outcomes.filter((outcome) => !isDeparture(outcome)).map(asFact);
      const { groups, position, ...limits } = await limitsOf(this.options.commands, ownerId);
      const quota = {
        ...limits,
        groups: this.options.limited ? groups : [],
        position: later(position, ledger.position),
        overdue: settled,
      };
      return command(quota, at);
    };
    const decide = () => this.options.commands.handle(StorageLedger, ownerId, attempt, ownCommand(context));
    // What a refusal was decided on is recorded before it, so that the position of the decision stands for the same state.
    const decideAnew = async (error: unknown) => {
      if (!(error instanceof QuotaExceeded) || outcomes.length === 0 || mine !== undefined) throw error;
      await this.settleOverdue(ownerId, context);
      return decide();
    };
    const decided = await decide()
      .catch(decideAnew)
      .catch((error: unknown) => {
        if (error instanceof QuotaExceeded) this.options.onRefused?.(error, context);
        throw error;
      });
    if (!outcomes.some(isDeparture)) return decided;
    return { ...decided, position: await this.settleOverdue(ownerId, context) };
  }

  /** Changes what is stored regardless of the limits, which only determine the thresholds that are crossed. */
  #change(
    ownerId: number,
    context: CommandContext,
    command: (groups: readonly QuotaGroup[]) => StorageLedgerCommand | Promise<StorageLedgerCommand>,
  ): Promise<Position> {
    return this.#handle(ownerId, async () => command(await this.#groups(ownerId)), context);
  }

  /** Reads the groups that apply to the account at the beginning of an attempt. */
  async #groups(ownerId: number): Promise<readonly QuotaGroup[]> {
    return this.options.limited ? (await limitsOf(this.options.commands, ownerId)).groups : [];
  }

  #ledger(ownerId: number) {
    return this.options.commands.load(StorageLedger, ownerId);
  }

  async #handle(
    ownerId: number,
    command: StorageLedgerCommand | (() => Promise<StorageLedgerCommand>),
    context: CommandContext,
  ): Promise<Position> {
    return (await this.options.commands.handle(StorageLedger, ownerId, command, ownCommand(context)))
      .position;
  }

  #now(): Date {
    return this.options.now?.() ?? new Date();
  }

  #leaseEnd(): Date {
    return new Date(this.#now().getTime() + this.#leaseMs);
  }

  /** Returns the time of the clock, not that of the request, because a lease counts from now. */
  #at(): string {
    return this.#now().toISOString();
  }
}

const asFact = ({ reservation, bytes }: Outcome) => ({
  reservationId: reservation.id,
  bytes: bytes?.toString() ?? null,
});
