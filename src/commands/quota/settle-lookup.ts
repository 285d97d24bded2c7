import type { UsageSubject } from '../../domain/quota/subjects.js';

/** A reservation whose lease ran out before it was settled or released. */
export interface OverdueReservation {
  readonly id: string;
  readonly ownerId: number;
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly previousOwnerId?: number;
}

/**
 * Finds out what became of work that had reserved storage. Resolves with the bytes that the object has now if the owner
 * has it and the work (or later work) was committed; with `under way` if the worker is known to be alive; and with
 * undefined if nothing was stored. Before resolving with undefined it must make sure that nothing ever will be, by an
 * append to the stream that the work would commit to, so that a late commit of a paused worker is refused. It must not
 * handle a command of a ledger.
 */
export type SettleLookup = (overdue: OverdueReservation) => Promise<bigint | 'under way' | undefined>;
