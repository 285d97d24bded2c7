import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { OrganizationEvent } from '../../src/domain/organizations/organization.js';
import { rankOf, type AccessLevel } from '../../src/domain/organizations/team-access.js';
import { projection, type Columns, type Table } from '../projection.js';

/**
 * `grants`: the level of access that a principal has to an object, one row for each pair. A team is granted its
 * organization, so a change of who is in the team touches none of these rows.
 */
export const grants = projection<AccountEvent | OrganizationEvent>()({
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
    AccountDeleted: ({ data }, { grants: rows }) => removeObject(data.accountId, rows),
    ClaimAbandoned: ({ data }, { grants: rows }) => removeObject(data.accountId, rows),
  },
});

const ofTeam = (teamId: number, organizationId: number, permission: AccessLevel): Columns => ({
  principal_kind: 'team',
  principal_id: teamId,
  object_kind: 'organization',
  object_id: organizationId,
  level: rankOf(permission),
});

const removeObject = (object_id: number, rows: Table): void => {
  rows.removeWhere({ object_kind: 'organization', object_id });
};
