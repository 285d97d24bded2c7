import { AccountName, type ClaimCommand, type ClaimEvent } from '../../../src/domain/claims/claim.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const idOf = (claimantId: number) => `of ${claimantId}`;
const claim = (claimantId: number, claimId = idOf(claimantId)): ClaimCommand => ({
  type: 'Claim',
  data: { claimantId, claimId, at },
});
const takeOver = (fromId: number, claimantId: number): ClaimCommand => ({
  type: 'TakeOverClaim',
  data: { from: { claimantId: fromId, claimId: idOf(fromId) }, claimantId, claimId: idOf(claimantId), at },
});
const release = (claimantId: number): ClaimCommand => ({
  type: 'ReleaseClaim',
  data: { claimantId, claimId: idOf(claimantId), at },
});
const made = (claimantId: number, claimId = idOf(claimantId)): ClaimEvent => ({
  type: 'ClaimMade',
  data: { claimantId, claimId, madeAt: at },
});
const released = (claimantId: number): ClaimEvent => ({
  type: 'ClaimReleased',
  data: { claimantId, releasedAt: at },
});

describe('a claimable thing', () => {
  const { given } = specification(AccountName);

  it('is claimed by the first who comes', () => {
    given().when(claim(1)).then(made(1));
    given(made(1)).when(claim(2)).thenRefused('claim.taken');
  });
  it('is claimed once however often the same claim is made', () => {
    given(made(1)).when(claim(1)).then();
  });
  it('is claimed anew by its holder, so that the older claim counts no more', () => {
    given(made(1)).when(claim(1, 'a later one')).then(made(1, 'a later one'));
    given(made(1), made(1, 'a later one')).when(release(1)).then();
    given(made(1), made(1, 'a later one')).when(takeOver(1, 2)).thenRefused('claim.taken');
  });
  it('is free once it was released', () => {
    given(made(1)).when(release(1)).then(released(1));
    given(made(1), released(1)).when(claim(2)).then(made(2));
  });
  it('is released by nobody but its holder', () => {
    given(made(1)).when(release(2)).then();
    given().when(release(1)).then();
  });
  it('is taken over from the holder one knows', () => {
    given(made(1)).when(takeOver(1, 2)).then(released(1), made(2));
    given(made(3)).when(takeOver(1, 2)).thenRefused('claim.taken');
    given().when(takeOver(1, 2)).thenRefused('claim.taken');
  });
});
