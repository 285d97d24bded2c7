import type { UsageSubject } from '../../domain/quota/subjects.js';

/** A reservation whose lease ran out before anybody said what came of it. */
export interface OverdueReservation {
  readonly id: string;
  readonly ownerId: number;
  readonly objectId: string;
  readonly subject: UsageSubject;
  readonly previousOwnerId?: number;
}

/**
 * Finds out what came of work that had reserved storage: the bytes that the object has now where the owner has it and
 * the work was committed (or something after it), `under way` where the worker is known to live, and undefined where
 * nothing came of it. With undefined it has seen to it that nothing ever will: it has appended to the stream that would
 * have told, so that a late commit of a paused worker is refused. It must not handle a command of a ledger.
 */
export type SettleLookup = (overdue: OverdueReservation) => Promise<bigint | 'under way' | undefined>;
