import type { OpenReservation } from '../../domain/quota/storage-ledger-state.js';
import type { UsageSubject } from '../../domain/quota/subjects.js';
import type { OverdueReservation, SettleLookup } from './settle-lookup.js';

/** For each subject, how to find out what became of a lapsed reservation; for subjects without a lookup nothing did. */
export type SettleLookups = Readonly<Partial<Record<UsageSubject, SettleLookup>>>;

/** What became of a lapsed reservation: the bytes that its object has now, or null if nothing was stored. */
export interface Outcome {
  readonly reservation: OverdueReservation;
  readonly bytes: bigint | null;
  /** The account that the object was transferred from and that must forget it before the reservation ends. */
  readonly departedFrom: number | undefined;
}

/** Finds out what became of the owner's lapsed reservations, by id. Leaves out those whose worker is alive. */
export async function outcomesOf(
  ownerId: number,
  lapsed: Iterable<readonly [string, OpenReservation]>,
  lookups: SettleLookups = {},
): Promise<readonly Outcome[]> {
  const found = await Promise.all(
    Array.from(lapsed, async ([id, held]): Promise<Outcome | undefined> => {
      const reservation = { ...held, id, ownerId };
      const bytes = await lookups[held.subject]?.(reservation);
      if (bytes === 'under way') return undefined;
      // Asked last, so that what arrived is not believed to be in both places.
      return { reservation, bytes: bytes ?? null, departedFrom: await departedFrom(reservation, lookups) };
    }),
  );
  return found.filter((outcome) => outcome !== undefined);
}

/**
 * Returns the account that an object was transferred from, if the object has left it: for where it was to arrive, or from
 * there for anywhere else, or because it was deleted.
 */
export async function departedFrom(
  { previousOwnerId, ...reservation }: OverdueReservation,
  lookups: SettleLookups = {},
): Promise<number | undefined> {
  const lookup = lookups[reservation.subject];
  if (previousOwnerId === undefined || !lookup) return undefined;
  const bytesThere = await lookup({ ...reservation, ownerId: previousOwnerId });
  return bytesThere === undefined ? previousOwnerId : undefined;
}

/** The outcome of a transfer whose object has left the previous owner, whose ledger may not know of it yet. */
export type Departure = Outcome & { readonly departedFrom: number };

/** Tells whether the object has left a previous owner, who must forget it before the reservation ends. */
export const isDeparture = (outcome: Outcome): outcome is Departure => outcome.departedFrom !== undefined;

/** Returns what the ledger is told of an outcome. */
export const asFact = ({ reservation, bytes }: Outcome) => ({
  reservationId: reservation.id,
  bytes: bytes?.toString() ?? null,
});
