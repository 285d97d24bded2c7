import type { Decider, Message } from '../decider.js';
import { conflict, invalid, notFound } from '../errors.js';
import type { RepositoryEvent } from './repository-messages.js';

/** What a repository is told about going to another owner. At most one offer is open at a time. */
export type TransferCommand =
  /** `ownerId`: who owned it when this was asked for; one that went to somebody else meanwhile is absent. */
  | Message<
      'RequestTransfer',
      { ownerId: number; requesterId: number; recipientId: number; teamIds: readonly number[]; at: string }
    >
  /** Ends what was asked for; the recipient may also take a repository that nobody asked it to. */
  | Message<
      'Transfer',
      {
        ownerId: number;
        recipientId: number;
        teamIds: readonly number[];
        /** It was claimed at the recipient's; `claimsLost` as it was before that. */
        name: string;
        claimsLost: number;
        /** Only what is offered still, to those teams; undefined: what nobody offered as well. */
        isAcceptance?: boolean;
        at: string;
      }
    >
  /** What is offered to that recipient. */
  | Message<'RejectTransfer', { recipientId: number; at: string }>;

/** The events that tell whose a repository is, and to whom it is offered. */
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

/** Whose the repository is, undefined until it was created, and what is offered to whom, undefined for nothing. */
export interface TransferState {
  readonly ownerId: number | undefined;
  readonly pending: { readonly recipientId: number; readonly teamIds: readonly number[] } | undefined;
}

/** How a repository gets another owner, who may be asked first: a part of the Repository aggregate. */
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
