import { Map } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { invalid } from '../errors.js';
import type { CollaboratorPermission, RepositoryEvent } from './repository-messages.js';

/** The commands of the collaborators. Removing an account that is none does nothing. */
export type CollaboratorsCommand =
  /** Without a permission: `write` for a new collaborator, and no change for an existing one. */
  | Message<
      'AddCollaborator',
      { accountId: number; permission?: CollaboratorPermission | undefined; at: string }
    >
  | Message<'RemoveCollaborator', { accountId: number; at: string }>;

/** The events that the collaborators depend on; two of them name the owner. */
export type CollaboratorsEvent = Extract<
  RepositoryEvent,
  {
    type:
      | 'RepositoryCreated'
      | 'RepositoryTransferred'
      | 'CollaboratorAdded'
      | 'CollaboratorChanged'
      | 'CollaboratorRemoved';
  }
>;

/** The permissions by account id. The owner is undefined until the repository is created. */
export interface CollaboratorsState {
  readonly ownerId: number | undefined;
  readonly permissions: Map<number, CollaboratorPermission>;
}

/** The collaborators of a repository: a part of the Repository aggregate. The owner is never among them. */
export const Collaborators: Decider<CollaboratorsCommand, CollaboratorsEvent, CollaboratorsState> = {
  category: 'repository',
  initialState: { ownerId: undefined, permissions: Map() },

  evolve(state, { type, data }) {
    const { permissions } = state;
    switch (type) {
      case 'RepositoryCreated':
        return { ...state, ownerId: data.ownerId };
      case 'RepositoryTransferred':
        return { ownerId: data.ownerId, permissions: permissions.delete(data.ownerId) };
      case 'CollaboratorAdded':
      case 'CollaboratorChanged':
        return { ...state, permissions: permissions.set(data.accountId, data.permission) };
      case 'CollaboratorRemoved':
        return { ...state, permissions: permissions.delete(data.accountId) };
    }
  },

  decide({ type, data }, { ownerId, permissions }) {
    const { accountId, at } = data;
    const before = permissions.get(accountId);
    switch (type) {
      case 'AddCollaborator': {
        if (accountId === ownerId)
          throw invalid('collaborator.owner', 'Collaborator', 'the owner needs no other right');
        const permission = data.permission ?? before ?? 'write';
        if (permission === before) return [];
        return before
          ? [{ type: 'CollaboratorChanged', data: { accountId, permission, before, changedAt: at } }]
          : [{ type: 'CollaboratorAdded', data: { accountId, permission, addedAt: at } }];
      }
      case 'RemoveCollaborator':
        return before ? [{ type: 'CollaboratorRemoved', data: { accountId, removedAt: at } }] : [];
    }
  },
};
