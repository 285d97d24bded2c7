import type { DataOf } from '../decider.js';
import { invalid } from '../errors.js';
import type { AskedTeam, OrganizationCommand, OrganizationEvent } from './organization-messages.js';
import type { OrganizationState } from './organization.js';
import { changedTeamAccess, teamAccess } from './team-access.js';
import { checkTeamName, isSameTeam, teamNameKey, type Team, type TeamFacts } from './team.js';

type Teams = OrganizationState['teams'];

/** Returns the facts of a new team. Refuses an invalid or taken name, and invalid access. */
export function newTeam(asked: AskedTeam, teams: Teams): TeamFacts {
  const { name = '', description = '' } = asked;
  checkTeamName(name);
  refuseTaken(teams, name);
  return {
    name,
    description,
    ...teamAccess(asked),
    includesAllRepositories: asked.includesAllRepositories ?? false,
    canCreateRepositories: asked.canCreateRepositories ?? false,
  };
}

/** Decides an edit; records only what differs. A team that had all repositories keeps those that the command names. */
export function editTeam(
  { teamId, changes, repositoryIds = [], at }: DataOf<OrganizationCommand, 'EditTeam'>,
  team: Team,
  { teams, ownersTeamId }: Pick<OrganizationState, 'teams' | 'ownersTeamId'>,
): OrganizationEvent[] {
  const { facts: before } = team;
  const after =
    teamId === ownersTeamId
      ? editedOwners(before, changes)
      : editedTeam(before, changes, teams.delete(teamId));
  if (isSameTeam(before, after)) return [];
  const keeps = before.includesAllRepositories ? repositoryIds : [];
  return [
    { type: 'TeamEdited', data: { teamId, ...after, before, editedAt: at } },
    ...givenRepositories(teamId, { ...team, facts: after }, keeps, at),
  ];
}

/** Returns the event of repositories given to a team; none for those that it has, and for a team that has all of them. */
export function givenRepositories(
  teamId: number,
  { facts, repositoryIds: own }: Team,
  given: readonly number[],
  addedAt: string,
): OrganizationEvent[] {
  const repositoryIds = facts.includesAllRepositories ? [] : given.filter((id) => !own.has(id));
  if (repositoryIds.length === 0) return [];
  return [{ type: 'TeamRepositoriesAdded', data: { teamId, teamName: facts.name, repositoryIds, addedAt } }];
}

/** Edits the Owners team. Only its description can change: under another name, the organization would have no owners. */
function editedOwners(before: TeamFacts, { name, description }: AskedTeam): TeamFacts {
  if (name !== undefined && name !== '' && name !== before.name) {
    throw invalid('team.owners', 'Name', 'the Owners team cannot be renamed');
  }
  return { ...before, description: description ?? before.description };
}

function editedTeam(before: TeamFacts, changes: AskedTeam, others: Teams): TeamFacts {
  const name = changes.name === undefined || changes.name === '' ? before.name : changes.name;
  if (name !== before.name) {
    checkTeamName(name);
    refuseTaken(others, name);
  }
  return {
    name,
    description: changes.description ?? before.description,
    ...changedTeamAccess({ permission: before.permission, units: before.units }, changes),
    includesAllRepositories: changes.includesAllRepositories ?? before.includesAllRepositories,
    canCreateRepositories: changes.canCreateRepositories ?? before.canCreateRepositories,
  };
}

function refuseTaken(teams: Teams, name: string): void {
  if (teams.some(({ facts }) => teamNameKey(facts.name) === teamNameKey(name))) {
    throw invalid('team.name_taken', 'Name', 'a team of this name already exists');
  }
}
