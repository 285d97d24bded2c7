import type { Decider, Message } from '../decider.js';
import { conflict } from '../errors.js';

export type ReservationCommand =
  | Message<'Claim', { claimantId: number; at: string }>
  | Message<'TakeOverClaim', { fromId: number; claimantId: number; at: string }>
  | Message<'ReleaseClaim', { claimantId: number; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
export type ReservationEvent =
  | Message<'ClaimMade', { claimantId: number; madeAt: string }>
  | Message<'ClaimReleased', { claimantId: number; releasedAt: string }>;

export interface ReservationState {
  readonly holder: { readonly claimantId: number; readonly madeAt: string } | undefined;
}

export type Reservation = Decider<ReservationCommand, ReservationEvent, ReservationState>;

/** Something that one account at a time can hold; the stream is named after a digest of it, so its name tells nothing. */
const reservation = (category: string): Reservation => ({
  category,
  initialState: { holder: undefined },

  evolve(_, { type, data }) {
    switch (type) {
      case 'ClaimMade':
        return { holder: { claimantId: data.claimantId, madeAt: data.madeAt } };
      case 'ClaimReleased':
        return { holder: undefined };
    }
  },

  decide({ type, data }, { holder }) {
    switch (type) {
      case 'Claim':
        if (holder?.claimantId === data.claimantId) return [];
        if (holder) throw taken();
        return [made(data.claimantId, data.at)];
      case 'TakeOverClaim':
        if (holder?.claimantId !== data.fromId) throw taken();
        return [released(data.fromId, data.at), made(data.claimantId, data.at)];
      case 'ReleaseClaim':
        return holder?.claimantId === data.claimantId ? [released(data.claimantId, data.at)] : [];
    }
  },
});

/** The names of users and organizations, which share one space. */
export const AccountName = reservation('accountName');
export const EmailAddress = reservation('email');

const taken = () => conflict('claim.taken', 'somebody else holds it');

const made = (claimantId: number, madeAt: string): ReservationEvent => ({
  type: 'ClaimMade',
  data: { claimantId, madeAt },
});

const released = (claimantId: number, releasedAt: string): ReservationEvent => ({
  type: 'ClaimReleased',
  data: { claimantId, releasedAt },
});
