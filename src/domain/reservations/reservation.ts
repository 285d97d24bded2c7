import type { Decider, Message } from '../decider.js';
import { conflict } from '../errors.js';

/** What is asked of one thing that can be claimed; each claim has its own `claimId`, also a second of one claimant. */
export type ReservationCommand =
  | Message<'Claim', { claimantId: number; claimId: string; at: string }>
  | Message<
      'TakeOverClaim',
      { from: { claimantId: number; claimId: string }; claimantId: number; claimId: string; at: string }
    >
  | Message<'ReleaseClaim', { claimantId: number; claimId: string; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** Who holds it from now on, or that nobody does. */
export type ReservationEvent =
  | Message<'ClaimMade', { claimantId: number; claimId: string; madeAt: string }>
  | Message<'ClaimReleased', { claimantId: number; releasedAt: string }>;

/** Who holds it since `madeAt`, RFC 3339; undefined while it is free. */
export interface ReservationState {
  readonly holder:
    { readonly claimantId: number; readonly claimId: string; readonly madeAt: string } | undefined;
}

/** A kind of thing that is claimed, such as names of accounts; each of its streams is one such thing. */
export type Reservation = Decider<ReservationCommand, ReservationEvent, ReservationState>;

/**
 * Something that one account or repository at a time can hold; where it is personal, the stream is named after a digest
 * of it, so its name tells nothing.
 * Who holds it may claim it anew: that makes another claim, which whoever knows only the older one can neither release
 * nor take over.
 */
const reservation = (category: string): Reservation => ({
  category,
  initialState: { holder: undefined },

  evolve(_, { type, data }) {
    switch (type) {
      case 'ClaimMade':
        return { holder: data };
      case 'ClaimReleased':
        return { holder: undefined };
    }
  },

  decide({ type, data }, { holder }) {
    switch (type) {
      case 'Claim':
        if (holder?.claimId === data.claimId) return [];
        if (holder && holder.claimantId !== data.claimantId) throw taken();
        return [made(data)];
      case 'TakeOverClaim':
        if (holder?.claimId !== data.from.claimId) throw taken();
        return [released(data.from.claimantId, data.at), made(data)];
      case 'ReleaseClaim':
        return holder?.claimId === data.claimId ? [released(data.claimantId, data.at)] : [];
    }
  },
});

/** The names of users and organizations, which share one space. */
export const AccountName = reservation('accountName');
export const EmailAddress = reservation('email');
/** Of public keys, whoever's they are. */
export const KeyFingerprint = reservation('keyFingerprint');
/** The names of the repositories of one owner; the claimants are repositories. */
export const RepositoryName = reservation('repositoryName');
/** That an owner forks a repository; the claimants are the forks. */
export const ForkOfRepository = reservation('fork');

const taken = () => conflict('claim.taken', 'somebody else holds it');

const made = (claim: { claimantId: number; claimId: string; at: string }): ReservationEvent => ({
  type: 'ClaimMade',
  data: { claimantId: claim.claimantId, claimId: claim.claimId, madeAt: claim.at },
});

const released = (claimantId: number, releasedAt: string): ReservationEvent => ({
  type: 'ClaimReleased',
  data: { claimantId, releasedAt },
});
