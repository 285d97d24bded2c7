import { z } from 'zod';
import { takeOffIssuesIn } from '../../commands/issues/take-off.js';
import { addTeamRepository } from '../../commands/organizations/add-team-repository.js';
import { invalid } from '../../domain/errors.js';
import { Organization, teamOf } from '../../domain/organizations/organization.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import type { OrganizationRow } from '../../queries/organizations/organizations.js';
import {
  findTeamNamed,
  hasRepository,
  listTeamsWith,
} from '../../queries/organizations/team-repositories.js';
import type { Actions } from '../actions.js';
import { accessWhere } from '../access.js';
import { isMember, organizationNamed, teamAbsent } from '../organizations/place.js';
import { presentTeamRow } from '../organizations/presenter.js';
import { Team } from '../organizations/schema.js';
import { pageReply, PageQuery } from '../answers/paging.js';
import { Refused } from '../refused.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import type { Services } from '../services.js';
import { repositoryAt, type RepositoryMet, type RepositoryPath } from './place.js';

interface TeamsPlace extends RepositoryMet {
  /** The organization that owns the repository; undefined if a user does. */
  readonly organization: OrganizationRow | undefined;
}

async function teamsAt(path: RepositoryPath): Promise<TeamsPlace> {
  const met = await repositoryAt(path);
  const { kind, name } = met.repository.owner;
  const organization =
    kind === 'organization' ? await organizationNamed(path.db, name ?? '', path.caller) : undefined;
  return { ...met, organization };
}

/** Admits members of the organization, as for its teams, and administrators of the repository, who manage its access. */
const teamsReader = accessWhere<TeamsPlace>(
  'member of the organization or administrator of the repository',
  'members of the organization only',
  (_, { parent: { rank, organization } }) =>
    rank >= rankOf('admin') || (organization !== undefined && isMember(organization)),
);

/** Admits owners or also administrators of the repository, depending on a setting of the organization. */
const teamsChanger = accessWhere<TeamsPlace>(
  'owner of the repository, or administrator where the organization lets those',
  'owners of the repository only',
  (_, { parent: { rank, organization } }) =>
    rank >= rankOf(organization?.repo_admin_change_team_access ? 'admin' : 'owner'),
);

function organizationOf({ organization }: TeamsPlace): OrganizationRow {
  if (!organization) throw new Refused(405, 'the repository is of no organization', { Allow: 'OPTIONS' });
  return organization;
}

type Request = Pick<Actions, 'db'> & {
  readonly parent: TeamsPlace;
  readonly params: { readonly team: string };
};

/** Finds the team of the path. */
async function teamNamed({ db, parent, params }: Request) {
  const team = await findTeamNamed(db, organizationOf(parent).id, params.team);
  if (!team) throw teamAbsent();
  return team;
}

/** Tells, from the log, whether a team has all repositories of its organization. */
async function includesAll(
  { commands }: Pick<Services, 'commands'>,
  organizationId: number,
  teamId: number,
): Promise<boolean> {
  const { state } = await commands.load(Organization, organizationId);
  return teamOf(state, teamId).facts.includesAllRepositories;
}

const path = '/repos/{owner}/{repo}/teams/{team}';
const refusals = { 401: problem, 403: problem, 404: problem, 405: problem };

/** The routes that give the repository to a team, and take it away. */
const onTeam = {
  path,
  access: teamsChanger,
  scope: 'repository',
  parent: teamsAt,
  answers: { 204: nothing, ...refusals, 422: problem },
} as const;

export const repositoryTeamRoutes = [
  route({
    id: 'repoListTeams',
    method: 'GET',
    path: '/repos/{owner}/{repo}/teams',
    access: teamsReader,
    scope: 'repository',
    parent: teamsAt,
    query: PageQuery,
    answers: { 200: z.array(Team), ...refusals },
    async handle({ parent, query, db, page, url }) {
      organizationOf(parent);
      const part = page(query);
      const [rows, total] = await listTeamsWith(db, parent.repository, part);
      const teams = rows.map((row) => presentTeamRow(row));
      return pageReply(teams, total, part, url);
    },
  }),

  route({
    id: 'repoCheckTeam',
    method: 'GET',
    path,
    access: teamsReader,
    scope: 'repository',
    parent: teamsAt,
    answers: { 200: Team, ...refusals },
    async handle(request) {
      const team = await teamNamed(request);
      if (!(await hasRepository(request.db, team, request.parent.repository.id))) throw teamAbsent();
      return presentTeamRow(team);
    },
  }),

  route({
    id: 'repoAddTeam',
    method: 'PUT',
    ...onTeam,
    async handle(request) {
      const { parent, services, context, wrote } = request;
      const { organization_id: organizationId, id: teamId } = await teamNamed(request);
      const given = { organizationId, teamId, repositoryId: parent.repository.id };
      const added = await addTeamRepository(services.commands, given, context);
      if (added.events.length === 0)
        throw invalid('team.has_repository', 'Team', 'the team has the repository already');
      await wrote(added);
    },
  }),

  /** A team that includes all repositories keeps the repository. */
  route({
    id: 'repoDeleteTeam',
    method: 'DELETE',
    ...onTeam,
    async handle(request) {
      const { parent, handle, now, services, context, wrote } = request;
      const { organization_id: organizationId, id: teamId } = await teamNamed(request);
      const { id: repositoryId } = parent.repository;
      const data = { teamId, repositoryId, at: now() };
      const { events } = await handle(Organization, organizationId, { type: 'RemoveTeamRepository', data });
      if (events.length === 0 && !(await includesAll(services, organizationId, teamId)))
        throw invalid('team.lacks_repository', 'Team', 'the team does not have the repository');
      await wrote(await takeOffIssuesIn(services, repositoryId, context));
    },
  }),
];
