import type { OpenReservation } from '../../domain/quota/storage-ledger-state.js';
import type { UsageSubject } from '../../domain/quota/subjects.js';
import type { OverdueReservation, SettleLookup } from './settle-lookup.js';

/** How each subject finds out what came of a lapsed reservation; without a way, nothing did. */
export type SettleLookups = Readonly<Partial<Record<UsageSubject, SettleLookup>>>;

/** What came of a reservation whose lease has run out: the bytes that its object has now, or null where nothing did. */
export interface Outcome {
  readonly reservation: OverdueReservation;
  readonly bytes: bigint | null;
}

/** What came of the owner's reservations `lapsed`, by id; those of workers that live are left out. */
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

/** Whether it ends a transfer: the object has to be forgotten by its previous owner before this is settled. */
export const isArrival = ({ reservation, bytes }: Outcome): boolean =>
  reservation.previousOwnerId !== undefined && bytes !== null;
