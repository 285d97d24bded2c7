import type { OpenReservation } from '../../domain/quota/storage-ledger-state.js';
import type { UsageSubject } from '../../domain/quota/subjects.js';
import type { OverdueReservation, SettleLookup } from './settle-lookup.js';

/** For each subject, how to find out what became of a lapsed reservation; for subjects without a lookup nothing did. */
export type SettleLookups = Readonly<Partial<Record<UsageSubject, SettleLookup>>>;

/** What became of a lapsed reservation: the bytes that its object has now, or null if nothing was stored. */
export interface Outcome {
  readonly reservation: OverdueReservation;
  readonly bytes: bigint | null;
}

/** Finds out what became of the owner's lapsed reservations, by id. Leaves out those whose worker is alive. */
export async function outcomesOf(
  ownerId: number,
  lapsed: Iterable<readonly [string, OpenReservation]>,
  lookups: SettleLookups = {},
): Promise<readonly Outcome[]> {
  const found = await Promise.all(
    Array.from(lapsed, async ([id, held]) => {
      const reservation = { ...held, id, ownerId };
      return { reservation, outcome: await lookups[held.subject]?.(reservation) };
    }),
  );
  return found.flatMap(({ reservation, outcome }) =>
    outcome === 'under way' ? [] : [{ reservation, bytes: outcome ?? null }],
  );
}

/** The outcome of a transfer that is through. The previous owner must forget the object before this is settled. */
export interface Arrival extends Outcome {
  readonly reservation: OverdueReservation & { readonly previousOwnerId: number };
  readonly bytes: bigint;
}

/** Tells whether it is that of a transfer that is through. */
export const isArrival = (outcome: Outcome): outcome is Arrival =>
  outcome.reservation.previousOwnerId !== undefined && outcome.bytes !== null;
