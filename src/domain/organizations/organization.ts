import { Map, Set } from 'immutable';
import type { DataOf, Decider } from '../decider.js';
import { conflict, DomainError, notFound } from '../errors.js';
import { snapshotForm } from '../snapshot.js';
import type { OrganizationCommand, OrganizationEvent } from './organization-messages.js';
import { editTeam, givenRepositories, newTeam } from './team-changes.js';
import {
  added,
  addTeamMember,
  isInAnother,
  isPublicMember,
  joined,
  left,
  lightenMember,
  MOST_REMOVED,
  removeMember,
  removeTeamMember,
} from './memberships.js';
import { factsOf, owners, type Team } from './team.js';

export type { OrganizationEvent } from './organization-messages.js';

/** The state that decisions on an organization rest on. `teams` are by id. */
export interface OrganizationState {
  readonly teams: Map<number, Team>;
  /** Undefined until the organization is founded. */
  readonly ownersTeamId: number | undefined;
  /** Whether everybody may see the membership, by account id. */
  readonly members: Map<number, boolean>;
}

/**
 * The teams of an organization and their members. Its profile belongs to its account. Accounts in a team are members,
 * so that membership begins and ends with teams, and the Owners team is never empty. Changes of memberships and teams
 * are decided in files of their own.
 */
export const Organization: Decider<OrganizationCommand, OrganizationEvent, OrganizationState> = {
  category: 'organization',
  initialState: { teams: Map(), ownersTeamId: undefined, members: Map() },
  snapshot: snapshotForm(1),

  evolve(state, { type, data }) {
    const { teams, members } = state;
    switch (type) {
      case 'OrganizationFounded':
        return state;
      case 'TeamCreated': {
        const { teamId } = data;
        return {
          ...state,
          teams: teams.set(teamId, { facts: factsOf(data), memberIds: Set(), repositoryIds: Set() }),
          ownersTeamId: state.ownersTeamId ?? teamId,
        };
      }
      case 'TeamEdited': {
        const facts = factsOf(data);
        return { ...state, teams: withTeam(teams, data.teamId, (team) => ({ ...team, facts })) };
      }
      case 'TeamDeleted':
        return { ...state, teams: teams.delete(data.teamId) };
      case 'MemberJoined':
        return { ...state, members: members.set(data.accountId, false) };
      case 'MembersLeft':
        return { ...state, members: members.deleteAll(data.accountIds) };
      case 'TeamMemberAdded':
        return { ...state, teams: withMembers(teams, data.teamId, (ids) => ids.add(data.accountId)) };
      case 'TeamMemberRemoved':
        return { ...state, teams: withMembers(teams, data.teamId, (ids) => ids.delete(data.accountId)) };
      case 'TeamRepositoriesAdded':
        return {
          ...state,
          teams: withRepositories(teams, data.teamId, (ids) => ids.union(data.repositoryIds)),
        };
      case 'TeamRepositoryRemoved':
        return {
          ...state,
          teams: withRepositories(teams, data.teamId, (ids) => ids.delete(data.repositoryId)),
        };
      case 'MembershipPublicized':
        return { ...state, members: members.set(data.accountId, true) };
      case 'MembershipConcealed':
        return { ...state, members: members.set(data.accountId, false) };
    }
  },

  decide({ type, data }, state) {
    const { teams } = state;
    switch (type) {
      case 'FoundOrganization':
        if (state.ownersTeamId !== undefined) throw conflict('organization.exists', 'it was founded already');
        return found(data);
      case 'CreateTeam': {
        if (state.ownersTeamId === undefined) throw notFound('organization.absent', 'it was never founded');
        const facts = newTeam(data.team, teams);
        return [{ type: 'TeamCreated', data: { teamId: data.teamId, ...facts, createdAt: data.at } }];
      }
      case 'EditTeam':
        return editTeam(data, teamOf(state, data.teamId), state);
      case 'DeleteTeam': {
        const { teamId, at } = data;
        const { facts, memberIds } = teamOf(state, teamId);
        if (teamId === state.ownersTeamId) {
          throw new DomainError('invalid', 'team.owners', 'the Owners team cannot be deleted');
        }
        const leave = [...memberIds].filter((id) => !isInAnother(teams, id, teamId));
        return [
          { type: 'TeamDeleted', data: { teamId, name: facts.name, deletedAt: at } },
          ...left(leave, at),
        ];
      }
      case 'AddTeamMember':
        return addTeamMember(data, teamOf(state, data.teamId), state);
      case 'RemoveTeamMember':
        return removeTeamMember(data, teamOf(state, data.teamId), state);
      case 'LightenMember':
        return lightenMember(data, state);
      case 'RemoveMember':
        return removeMember(data, state);
      case 'PublicizeMembership': {
        const { accountId, at: publicizedAt } = data;
        if (isPublicMember(state, accountId)) return [];
        return [{ type: 'MembershipPublicized', data: { accountId, publicizedAt } }];
      }
      case 'ConcealMembership': {
        const { accountId, at: concealedAt } = data;
        if (!isPublicMember(state, accountId)) return [];
        return [{ type: 'MembershipConcealed', data: { accountId, concealedAt } }];
      }
      case 'AddTeamRepositories':
        return givenRepositories(data.teamId, teamOf(state, data.teamId), data.repositoryIds, data.at);
      case 'RemoveTeamRepository': {
        const { teamId, repositoryId, at } = data;
        const { facts, repositoryIds } = teamOf(state, teamId);
        return repositoryIds.has(repositoryId) ? [detached(teamId, facts.name, repositoryId, at)] : [];
      }
      case 'DetachRepository': {
        const { repositoryId, isOwned, at } = data;
        if (isOwned) return [];
        return [...teams]
          .filter(([, { repositoryIds }]) => repositoryIds.has(repositoryId))
          .slice(0, MOST_REMOVED)
          .map(([teamId, { facts }]) => detached(teamId, facts.name, repositoryId, at));
      }
    }
  },
};

/** Returns a team. Refuses if the organization does not have it. */
export function teamOf({ teams }: OrganizationState, teamId: number): Team {
  const team = teams.get(teamId);
  if (!team) throw notFound('team.absent', 'the team does not exist');
  return team;
}

function found({
  creatorId,
  ownersTeamId,
  at,
}: DataOf<OrganizationCommand, 'FoundOrganization'>): OrganizationEvent[] {
  return [
    { type: 'OrganizationFounded', data: { creatorId, foundedAt: at } },
    { type: 'TeamCreated', data: { teamId: ownersTeamId, ...owners, createdAt: at } },
    joined(creatorId, at),
    added(ownersTeamId, owners.name, creatorId, at),
  ];
}

const withTeam = (teams: OrganizationState['teams'], teamId: number, change: (team: Team) => Team) => {
  const team = teams.get(teamId);
  return team ? teams.set(teamId, change(team)) : teams;
};

const withMembers = (
  teams: OrganizationState['teams'],
  teamId: number,
  change: (memberIds: Set<number>) => Set<number>,
) => withTeam(teams, teamId, (team) => ({ ...team, memberIds: change(team.memberIds) }));

const withRepositories = (
  teams: OrganizationState['teams'],
  teamId: number,
  change: (repositoryIds: Set<number>) => Set<number>,
) => withTeam(teams, teamId, (team) => ({ ...team, repositoryIds: change(team.repositoryIds) }));

const detached = (
  teamId: number,
  teamName: string,
  repositoryId: number,
  removedAt: string,
): OrganizationEvent => ({
  type: 'TeamRepositoryRemoved',
  data: { teamId, teamName, repositoryId, removedAt },
});
