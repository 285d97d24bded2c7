import type { Decider, Message } from '../decider.js';
import { snapshotForm } from '../snapshot.js';

/** Requests the next `size` ids of a kind. Never refused. */
export type IdBlockCommand = Message<'ReserveIdBlock', { kind: string; size: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The ids from `first` to `last`, inclusive, are reserved: used or not, nobody else gets them. */
export type IdBlockEvent = Message<
  'IdBlockReserved',
  { kind: string; first: number; last: number; reservedAt: string }
>;

/** The integer ids of one kind, from 1, given out in blocks. Only the process that reserved a block uses its ids. */
export const IdBlock: Decider<IdBlockCommand, IdBlockEvent, { readonly next: number }> = {
  category: 'ids',
  initialState: { next: 1 },
  snapshot: snapshotForm(1),

  evolve: (_, { data }) => ({ next: data.last + 1 }),

  decide: ({ data: { kind, size, at } }, { next }) => [
    { type: 'IdBlockReserved', data: { kind, first: next, last: next + size - 1, reservedAt: at } },
  ],
};
