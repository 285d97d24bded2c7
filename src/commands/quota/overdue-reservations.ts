import {
  overdueReservations,
  reservationsOf,
  type StorageLedgerState,
} from '../../domain/quota/storage-ledger-state.js';
import type { Position } from '../../event-store/event-store.js';
import type { CommandContext } from '../context.js';
import {
  asFact,
  departedFrom,
  isDeparture,
  outcomesOf,
  type Departure,
  type Outcome,
  type SettleLookups,
} from './overdue.js';
import type { OwnerLedgers } from './owner-ledgers.js';

/** The reservations whose lease ran out, which crashed writers left behind. Without a lookup they are released. */
export class OverdueReservations {
  constructor(
    private readonly ledgers: OwnerLedgers,
    private readonly lookups: SettleLookups | undefined,
  ) {}

  /** Finds out what became of those in a ledger whose lease ran out before `at`, but for the caller's own, `mine`. */
  outcomesIn(
    ledger: StorageLedgerState,
    ownerId: number,
    at: string,
    mine = '',
  ): Promise<readonly Outcome[]> {
    return outcomesOf(ownerId, overdueReservations(ledger, new Date(at)).delete(mine), this.lookups);
  }

  /** Settles or releases those of an owner. */
  async settle(ownerId: number, context: CommandContext): Promise<Position> {
    const at = this.ledgers.at();
    const outcomes = async () => this.outcomesIn((await this.ledgers.load(ownerId)).state, ownerId, at);
    // Before the owner's own command: two commands that waited for each other's ledger inside their own would deadlock.
    const departed = new Set<string>();
    for (const departure of (await outcomes()).filter(isDeparture))
      if (await this.#leave(departure, context)) departed.add(departure.reservation.id);
    return this.ledgers.change(ownerId, context, async (groups) => {
      const ended = (await outcomes()).filter(
        (outcome) => !isDeparture(outcome) || departed.has(outcome.reservation.id),
      );
      return { type: 'SettleOverdue', data: { overdue: ended.map(asFact), groups, at } };
    });
  }

  /**
   * Has the account that an object was transferred from forget it. Resolves with false if the object has returned, or may be
   * about to: whoever transfers it settles it, as nobody here holds the repository's lock.
   */
  async #leave({ reservation, departedFrom: leftId }: Departure, context: CommandContext): Promise<boolean> {
    const { objectId } = reservation;
    let hasLeft = false;
    await this.ledgers.change(leftId, context, async (groups) => {
      const { state } = await this.ledgers.load(leftId);
      const returns = reservationsOf(state, objectId).some((open) => open.previousOwnerId !== undefined);
      hasLeft = !returns && (await departedFrom(reservation, this.lookups)) !== undefined;
      return { type: 'ForgetObject', data: { objectId, isOwned: !hasLeft, groups, at: this.ledgers.at() } };
    });
    return hasLeft;
  }
}
