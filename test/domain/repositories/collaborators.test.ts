import { Collaborators, type CollaboratorsEvent } from '../../../src/domain/repositories/collaborators.js';
import type { CollaboratorPermission } from '../../../src/domain/repositories/repository-messages.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const OWNER = 1;
const ALICE = 10;
const { given } = specification(Collaborators);

const added = (accountId: number, permission: CollaboratorPermission): CollaboratorsEvent => ({
  type: 'CollaboratorAdded',
  data: { accountId, permission, addedAt: at },
});
const changed = (
  accountId: number,
  before: CollaboratorPermission,
  permission: CollaboratorPermission,
): CollaboratorsEvent => ({
  type: 'CollaboratorChanged',
  data: { accountId, permission, before, changedAt: at },
});
const removed = (accountId: number): CollaboratorsEvent => ({
  type: 'CollaboratorRemoved',
  data: { accountId, removedAt: at },
});
const transferred = (ownerId: number): CollaboratorsEvent => ({
  type: 'RepositoryTransferred',
  data: { ownerId, previousOwnerId: OWNER, name: 'a', teamIds: [], transferredAt: at },
});
const add = (accountId: number, permission?: CollaboratorPermission) =>
  ({ type: 'AddCollaborator', data: { accountId, permission, at } }) as const;
const remove = (accountId: number) => ({ type: 'RemoveCollaborator', data: { accountId, at } }) as const;

describe('the collaborators of a repository', () => {
  it('may write unless it is said otherwise', () => given().when(add(ALICE)).then(added(ALICE, 'write')));
  it('get the permission that is named', () => given().when(add(ALICE, 'admin')).then(added(ALICE, 'admin')));
  it('keep theirs when they are added again without one', () =>
    given(added(ALICE, 'read')).when(add(ALICE)).then());
  it('keep theirs when it is named again', () => given(added(ALICE, 'read')).when(add(ALICE, 'read')).then());
  it('get another', () =>
    given(added(ALICE, 'read'))
      .when(add(ALICE, 'admin'))
      .then(changed(ALICE, 'read', 'admin')));
  it('are not the owner', () => given(transferred(OWNER)).when(add(OWNER)).thenRefused('collaborator.owner'));
  it('are not the owner, whoever else came, changed or left', () => {
    const history = [transferred(OWNER), added(ALICE, 'read'), changed(ALICE, 'read', 'admin')];
    given(...history)
      .when(add(OWNER))
      .thenRefused('collaborator.owner');
    given(...history, removed(ALICE))
      .when(add(OWNER))
      .thenRefused('collaborator.owner');
  });
  it('leave', () => given(added(ALICE, 'read')).when(remove(ALICE)).then(removed(ALICE)));
  it('who left were not there', () => given(added(ALICE, 'read'), removed(ALICE)).when(remove(ALICE)).then());
  it('leave when they come to own the repository', () =>
    given(added(ALICE, 'read'), transferred(ALICE), transferred(OWNER))
      .when(add(ALICE))
      .then(added(ALICE, 'write')));
});
