import { Transfer, type TransferEvent } from '../../../src/domain/repositories/transfer.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const OWNER = 1;
const ALICE = 10;
const BOB = 11;
const { given } = specification(Transfer);

const transferred = (previousOwnerId: number, ownerId: number): TransferEvent => ({
  type: 'RepositoryTransferred',
  data: { ownerId, previousOwnerId, name: 'a', teamIds: [3], transferredAt: at },
});
const requested = (recipientId: number): TransferEvent => ({
  type: 'RepositoryTransferRequested',
  data: { requesterId: OWNER, recipientId, teamIds: [3], requestedAt: at },
});
const rejected = (recipientId: number): TransferEvent => ({
  type: 'RepositoryTransferRejected',
  data: { recipientId, rejectedAt: at },
});
const owned = transferred(99, OWNER);
const request = (recipientId: number, ownerId = OWNER) =>
  ({
    type: 'RequestTransfer',
    data: { ownerId, requesterId: OWNER, recipientId, teamIds: [3], at },
  }) as const;
const transfer = (recipientId: number, ownerId = OWNER) =>
  ({ type: 'Transfer', data: { ownerId, recipientId, teamIds: [3], name: 'a', claimsLost: 0, at } }) as const;
const accept = (recipientId: number) => {
  const { type, data } = transfer(recipientId);
  return { type, data: { ...data, isAcceptance: true } };
};
const reject = (recipientId: number) => ({ type: 'RejectTransfer', data: { recipientId, at } }) as const;

describe('the transfer of a repository', () => {
  it('is asked for', () => given(owned).when(request(ALICE)).then(requested(ALICE)));
  it('is not asked of the owner', () => given(owned).when(request(OWNER)).thenRefused('transfer.owner'));
  it('is asked for once at a time', () =>
    given(owned, requested(ALICE)).when(request(BOB)).thenRefused('transfer.pending'));
  it('happens when the recipient accepts', () =>
    given(owned, requested(ALICE)).when(accept(ALICE)).then(transferred(OWNER, ALICE)));
  it('is not accepted once it was rejected', () =>
    given(owned, requested(ALICE), rejected(ALICE)).when(accept(ALICE)).thenRefused('transfer.absent'));
  it('does not happen to the owner', () => given(owned).when(transfer(OWNER)).thenRefused('transfer.owner'));
  it('happens at once where nobody must be asked', () =>
    given(owned).when(transfer(ALICE)).then(transferred(OWNER, ALICE)));
  it('does not happen to another while one is asked', () =>
    given(owned, requested(ALICE)).when(transfer(BOB)).thenRefused('transfer.pending'));
  it('is neither asked for nor done where the repository went to somebody else meanwhile', () => {
    given(owned, transferred(OWNER, ALICE)).when(request(BOB)).thenRefused('repository.absent');
    given(owned, transferred(OWNER, ALICE)).when(transfer(BOB)).thenRefused('repository.absent');
  });
  it('ends with a rejection', () => given(owned, requested(ALICE)).when(reject(ALICE)).then(rejected(ALICE)));
  it('to somebody else is not rejected', () =>
    given(owned, requested(ALICE)).when(reject(BOB)).thenRefused('transfer.absent'));
  it('that was rejected may be asked for again', () =>
    given(owned, requested(ALICE), rejected(ALICE)).when(request(BOB)).then(requested(BOB)));
  it('that is over cannot be rejected', () => {
    given(owned).when(reject(ALICE)).thenRefused('transfer.absent');
    given(owned, requested(ALICE), transferred(OWNER, ALICE))
      .when(reject(ALICE))
      .thenRefused('transfer.absent');
  });
});
