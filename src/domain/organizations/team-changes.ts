import type { DataOf } from '../decider.js';
import { invalid } from '../errors.js';
import type { AskedTeam, OrganizationCommand, OrganizationEvent } from './organization-messages.js';
import type { OrganizationState } from './organization.js';
import { changedTeamAccess, teamAccess } from './team-access.js';
import { checkTeamName, isSameTeam, teamNameKey, type Team, type TeamFacts } from './team.js';

type Teams = OrganizationState['teams'];

/** The facts of a team that joins these. Refuses a name that cannot be or is taken, and access that makes no sense. */
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

/** Only what differs is recorded. A team that had all repositories keeps those that the command names. */
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

/** A team that has all repositories has what it is given. */
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

/** Only their description is free: another name would leave an organization without owners. */
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
