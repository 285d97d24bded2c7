import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { OrganizationEvent } from '../../src/domain/organizations/organization.js';
import { rankOf, type AccessLevel } from '../../src/domain/organizations/team-access.js';
import type {
  CollaboratorPermission,
  RepositoryEvent,
} from '../../src/domain/repositories/repository-messages.js';
import { projection, type Columns, type Table } from '../projection.js';

/**
 * `grants`: the level of access that a principal has to an object, one row for each pair. Members of a team have no rows
 * of their own, so a change of membership touches none. A team's level is in its row for the organization; its rows for
 * repositories have the level 0 and mean that level, so that an edit of the team touches one row.
 */
export const grants = projection<AccountEvent | OrganizationEvent | RepositoryEvent>()({
  name: 'grants',
  version: 1,
  tables: { grants: { key: ['principal_kind', 'principal_id', 'object_kind', 'object_id'] } },
  on: {
    TeamCreated: ({ streamId, data }, { grants: rows }) =>
      rows.put(ofTeam(data.teamId, Number(streamId), data.permission)),
    TeamEdited: ({ streamId, data }, { grants: rows }) =>
      rows.put(ofTeam(data.teamId, Number(streamId), data.permission)),
    TeamDeleted: ({ data }, { grants: rows }) =>
      rows.removeWhere({ principal_kind: 'team', principal_id: data.teamId }),
    TeamRepositoriesAdded: ({ data }, { grants: rows }) => {
      for (const id of data.repositoryIds) rows.put(ofRepository('team', data.teamId, id, 0));
    },
    TeamRepositoryRemoved: ({ data }, { grants: rows }) =>
      rows.remove(atRepository('team', data.teamId, data.repositoryId)),
    CollaboratorAdded: ({ streamId, data }, { grants: rows }) => rows.put(ofCollaborator(streamId, data)),
    CollaboratorChanged: ({ streamId, data }, { grants: rows }) => rows.put(ofCollaborator(streamId, data)),
    CollaboratorRemoved: ({ streamId, data }, { grants: rows }) =>
      rows.remove(atRepository('account', data.accountId, Number(streamId))),
    RepositoryTransferred: ({ streamId, data }, { grants: rows }) =>
      rows.remove(atRepository('account', data.ownerId, Number(streamId))),
    RepositoryDeleted: ({ streamId }, { grants: rows }) => removeObject('repository', Number(streamId), rows),
    AccountDeleted: ({ data }, { grants: rows }) => {
      removeObject('organization', data.accountId, rows);
      rows.removeWhere({ principal_kind: 'account', principal_id: data.accountId });
    },
    ClaimAbandoned: ({ data }, { grants: rows }) => removeObject('organization', data.accountId, rows),
  },
});

const atRepository = (principal_kind: 'account' | 'team', principal_id: number, object_id: number) => ({
  principal_kind,
  principal_id,
  object_kind: 'repository',
  object_id,
});

const ofRepository = (
  kind: 'account' | 'team',
  principalId: number,
  repositoryId: number,
  level: number,
) => ({
  level,
  ...atRepository(kind, principalId, repositoryId),
});

const ofCollaborator = (
  repositoryId: string,
  { accountId, permission }: { readonly accountId: number; readonly permission: CollaboratorPermission },
): Columns => ofRepository('account', accountId, Number(repositoryId), rankOf(permission));

const ofTeam = (teamId: number, organizationId: number, permission: AccessLevel): Columns => ({
  principal_kind: 'team',
  principal_id: teamId,
  object_kind: 'organization',
  object_id: organizationId,
  level: rankOf(permission),
});

const removeObject = (object_kind: string, object_id: number, rows: Table): void => {
  rows.removeWhere({ object_kind, object_id });
};
