import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { OrganizationEvent } from '../../src/domain/organizations/organization.js';
import { teamNameKey, type TeamFacts } from '../../src/domain/organizations/team.js';
import { projection, type Columns, type Table } from '../projection.js';

type Tables = { readonly teams: Table; readonly team_members: Table; readonly organization_members: Table };

/**
 * `teams`, `team_members` and `organization_members`: those that exist now. The organizations themselves are in `accounts`.
 * An organization whose account is not created yet has rows here until its creation is abandoned; queries ignore them.
 */
export const organizations = projection<AccountEvent | OrganizationEvent>()({
  name: 'organizations',
  version: 1,
  tables: {
    teams: { key: ['organization_id', 'id'] },
    team_members: { key: ['organization_id', 'team_id', 'account_id'] },
    organization_members: { key: ['organization_id', 'account_id'] },
  },
  on: {
    TeamCreated: ({ streamId, data }, { teams }) => teams.put(teamRow(Number(streamId), data.teamId, data)),
    TeamEdited: ({ streamId, data }, { teams }) => teams.put(teamRow(Number(streamId), data.teamId, data)),
    TeamDeleted: ({ streamId, data }, { teams, team_members }) => {
      const organization_id = Number(streamId);
      teams.remove({ organization_id, id: data.teamId });
      team_members.removeWhere({ organization_id, team_id: data.teamId });
    },
    TeamMemberAdded: ({ streamId, data }, { team_members }) =>
      team_members.put({
        organization_id: Number(streamId),
        team_id: data.teamId,
        account_id: data.accountId,
      }),
    TeamMemberRemoved: ({ streamId, data }, { team_members }) =>
      team_members.remove({
        organization_id: Number(streamId),
        team_id: data.teamId,
        account_id: data.accountId,
      }),
    MemberJoined: ({ streamId, data }, { organization_members }) =>
      organization_members.put({
        organization_id: Number(streamId),
        account_id: data.accountId,
        is_public: false,
      }),
    MembersLeft: ({ streamId, data }, { organization_members }) => {
      for (const account_id of data.accountIds)
        organization_members.remove({ organization_id: Number(streamId), account_id });
    },
    MembershipPublicized: ({ streamId, data }, { organization_members }) =>
      organization_members.patch(
        { organization_id: Number(streamId), account_id: data.accountId },
        { is_public: true },
      ),
    MembershipConcealed: ({ streamId, data }, { organization_members }) =>
      organization_members.patch(
        { organization_id: Number(streamId), account_id: data.accountId },
        { is_public: false },
      ),
    AccountDeleted: ({ data }, tables) => removeOrganization(data.accountId, tables),
    ClaimAbandoned: ({ data }, tables) => removeOrganization(data.accountId, tables),
  },
});

const teamRow = (organization_id: number, id: number, facts: TeamFacts): Columns => ({
  organization_id,
  id,
  name: facts.name,
  lower_name: teamNameKey(facts.name),
  description: facts.description,
  permission: facts.permission,
  units: JSON.stringify(facts.units),
  includes_all_repositories: facts.includesAllRepositories,
  can_create_repositories: facts.canCreateRepositories,
});

function removeOrganization(organization_id: number, tables: Tables): void {
  tables.teams.removeWhere({ organization_id });
  tables.team_members.removeWhere({ organization_id });
  tables.organization_members.removeWhere({ organization_id });
}
