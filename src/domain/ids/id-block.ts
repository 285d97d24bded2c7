import type { Decider, Message } from '../decider.js';

/** Asks for the next `size` ids of a kind; it is never refused. */
export type IdBlockCommand = Message<'ReserveIdBlock', { kind: string; size: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The ids from `first` to `last`, both included, are somebody's: used or not, nobody gets them again. */
export type IdBlockEvent = Message<
  'IdBlockReserved',
  { kind: string; first: number; last: number; reservedAt: string }
>;

/** The integer ids of one kind, from 1, handed out in blocks: whoever reserved a block alone uses its ids. */
export const IdBlock: Decider<IdBlockCommand, IdBlockEvent, { readonly next: number }> = {
  category: 'ids',
  initialState: { next: 1 },

  evolve: (_, { data }) => ({ next: data.last + 1 }),

  decide: ({ data: { kind, size, at } }, { next }) => [
    { type: 'IdBlockReserved', data: { kind, first: next, last: next + size - 1, reservedAt: at } },
  ],
};
