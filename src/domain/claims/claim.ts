import type { Decider, Message } from '../decider.js';
import { conflict } from '../errors.js';
import { snapshotForm } from '../snapshot.js';

/** The commands of one claimable thing. Each claim has its own `claimId`, even a second one of the same claimant. */
export type ClaimCommand =
  | Message<'Claim', { claimantId: number; claimId: string; at: string }>
  | Message<
      'TakeOverClaim',
      { from: { claimantId: number; claimId: string }; claimantId: number; claimId: string; at: string }
    >
  | Message<'ReleaseClaim', { claimantId: number; claimId: string; at: string }>;

// Stored for good: fields may be added, never renamed or removed.
/** The thing has a new holder, or none any more. */
export type ClaimEvent =
  | Message<'ClaimMade', { claimantId: number; claimId: string; madeAt: string }>
  | Message<'ClaimReleased', { claimantId: number; releasedAt: string }>;

/** The claimant that has held the thing since `madeAt` (RFC 3339); undefined while it is free. */
export interface ClaimState {
  readonly holder:
    | { readonly claimantId: number; readonly claimId: string; readonly madeAt: string }
    | undefined;
}

/** A kind of thing that can be claimed, such as names of accounts. Each of its streams is one such thing. */
export type ClaimKind = Decider<ClaimCommand, ClaimEvent, ClaimState>;

/**
 * Makes the decider of a kind of thing that one account or repository at a time can hold. If the thing is personal, its
 * stream is named after a digest, so that the name reveals nothing. The holder may claim it again, which makes another
 * claim: a caller that only knows the older one can neither release it nor take it over.
 */
const claimKind = (category: string): ClaimKind => ({
  category,
  initialState: { holder: undefined },
  snapshot: snapshotForm(1),

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
export const AccountName = claimKind('accountName');
export const EmailAddress = claimKind('email');
/** The fingerprints of public keys, across all accounts. */
export const KeyFingerprint = claimKind('keyFingerprint');
/** The names of the repositories of one owner; the claimants are repositories. */
export const RepositoryName = claimKind('repositoryName');
/** The place of an owner's only fork of a repository; the claimants are the forks. */
export const ForkOfRepository = claimKind('fork');

const taken = () => conflict('claim.taken', 'somebody else holds it');

const made = (claim: { claimantId: number; claimId: string; at: string }): ClaimEvent => ({
  type: 'ClaimMade',
  data: { claimantId: claim.claimantId, claimId: claim.claimId, madeAt: claim.at },
});

const released = (claimantId: number, releasedAt: string): ClaimEvent => ({
  type: 'ClaimReleased',
  data: { claimantId, releasedAt },
});
