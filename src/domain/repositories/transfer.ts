import type { Decider, Message } from '../decider.js';
import { conflict, invalid, notFound } from '../errors.js';
import type { RepositoryEvent } from './repository-messages.js';

/** The commands of transfers to another owner. At most one offer is open at a time. */
export type TransferCommand =
  /** `ownerId`: the owner when this was requested. If it has another one by now, it is refused as absent. */
  | Message<
      'RequestTransfer',
      { ownerId: number; requesterId: number; recipientId: number; teamIds: readonly number[]; at: string }
    >
  /** Completes a transfer, whether or not it was offered to the recipient before. */
  | Message<
      'Transfer',
      {
        ownerId: number;
        recipientId: number;
        teamIds: readonly number[];
        /** The name, which was claimed under the recipient; `claimsLost` is the number from before the claim. */
        name: string;
        claimsLost: number;
        /** Whether only an offer that is still open, with these teams, is completed; if absent, none is required. */
        isAcceptance?: boolean;
        at: string;
      }
    >
  /** Rejects the offer to this recipient. */
  | Message<'RejectTransfer', { recipientId: number; at: string }>;

/** The events that name the repository's owner, or to whom it is offered. */
export type TransferEvent = Extract<
  RepositoryEvent,
  {
    type:
      | 'RepositoryCreated'
      | 'RepositoryTransferRequested'
      | 'RepositoryTransferRejected'
      | 'RepositoryTransferred';
  }
>;

/** The owner, undefined until the repository is created, and the open offer, undefined if there is none. */
export interface TransferState {
  readonly ownerId: number | undefined;
  readonly pending: { readonly recipientId: number; readonly teamIds: readonly number[] } | undefined;
}

/** The transfer of a repository to another owner, after an offer or directly: a part of the Repository aggregate. */
export const Transfer: Decider<TransferCommand, TransferEvent, TransferState> = {
  category: 'repository',
  initialState: { ownerId: undefined, pending: undefined },

  evolve(state, { type, data }) {
    switch (type) {
      case 'RepositoryCreated':
      case 'RepositoryTransferred':
        return { ownerId: data.ownerId, pending: undefined };
      case 'RepositoryTransferRequested':
        return { ...state, pending: { recipientId: data.recipientId, teamIds: data.teamIds } };
      case 'RepositoryTransferRejected':
        return { ...state, pending: undefined };
    }
  },

  decide({ type, data }, { ownerId, pending }) {
    switch (type) {
      case 'RequestTransfer': {
        const { requesterId, recipientId, teamIds, at: requestedAt } = data;
        checkOwner(data, ownerId);
        refuseOwner(recipientId, ownerId);
        if (pending) throw conflict('transfer.pending', 'the repository is being transferred already');
        return [
          { type: 'RepositoryTransferRequested', data: { requesterId, recipientId, teamIds, requestedAt } },
        ];
      }
      case 'Transfer': {
        const { recipientId, name, teamIds, isAcceptance, at: transferredAt } = data;
        checkOwner(data, ownerId);
        if (isAcceptance && !isOffered(teamIds, pending)) throw nothingOffered();
        refuseOwner(recipientId, ownerId);
        if (pending && pending.recipientId !== recipientId)
          throw conflict('transfer.pending', 'the repository is being transferred already');
        return [
          {
            type: 'RepositoryTransferred',
            data: {
              ownerId: recipientId,
              previousOwnerId: data.ownerId,
              name,
              teamIds,
              transferredAt,
            },
          },
        ];
      }
      case 'RejectTransfer':
        if (pending?.recipientId !== data.recipientId) throw nothingOffered();
        return [
          {
            type: 'RepositoryTransferRejected',
            data: { recipientId: data.recipientId, rejectedAt: data.at },
          },
        ];
    }
  },
};

function checkOwner(asked: { readonly ownerId: number }, ownerId: number | undefined): void {
  if (asked.ownerId !== ownerId) throw notFound('repository.absent', 'no such repository');
}

function refuseOwner(recipientId: number, ownerId: number | undefined): void {
  if (recipientId === ownerId) throw invalid('transfer.owner', 'NewOwner', 'owns the repository already');
}

const isOffered = (teamIds: readonly number[], pending: TransferState['pending']): boolean =>
  pending?.teamIds.join() === teamIds.join();

const nothingOffered = () => notFound('transfer.absent', 'the repository is not being transferred');
