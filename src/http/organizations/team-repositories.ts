import { z } from 'zod';
import { takeOffIssuesIn } from '../../commands/issues/take-off.js';
import { addTeamRepository } from '../../commands/organizations/add-team-repository.js';
import { Organization } from '../../domain/organizations/organization.js';
import { rankOf } from '../../domain/organizations/team-access.js';
import { hasRepository, listTeamRepositories } from '../../queries/organizations/team-repositories.js';
import type { TeamMet } from '../../queries/organizations/teams.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import type { Actions } from '../actions.js';
import type { Principal } from '../caller.js';
import { pageReply, PageQuery } from '../answers/paging.js';
import { Refused } from '../refused.js';
import { repositoryAbsent, viewerOf, wholeRepositoryAt } from '../repositories/place.js';
import { presentRepositories, presentRepository } from '../repositories/presenter.js';
import { Repository } from '../repositories/schema.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { teamReader } from './access.js';
import { teamAt } from './place.js';
import { TeamParams } from './schema.js';

const TeamRepositoryParams = TeamParams.extend({ org: z.string(), repo: z.string() });

type Request = Pick<Actions, 'db'> & {
  readonly caller: Principal;
  readonly parent: TeamMet;
  readonly params: z.output<typeof TeamRepositoryParams>;
};

/**
 * Finds a repository of the team's organization. Throws 404 if it has another owner or is hidden from the caller, and
 * `RepositoryMoved` or `AccountMoved` for a former name.
 */
async function repositoryNamed({
  db,
  caller,
  parent,
  params: { org, repo },
}: Request): Promise<RepositoryRow> {
  const { repository } = await wholeRepositoryAt({ db, caller, params: { owner: org, repo } });
  if (repository.owner_id !== parent.organization.id) throw repositoryAbsent();
  return repository;
}

/** As `repositoryNamed`, but throws 403 if the caller does not administer the repository. */
async function repositoryAdministered(request: Request): Promise<RepositoryRow> {
  const repository = await repositoryNamed(request);
  if (repository.viewer_rank < rankOf('admin'))
    throw new Refused(403, 'administrators of the repository only');
  return repository;
}

const path = '/teams/{id}/repos/{org}/{repo}';
const answers = { 401: problem, 403: problem, 404: problem };

export const teamRepositoryRoutes = [
  route({
    id: 'orgListTeamRepos',
    method: 'GET',
    path: '/teams/{id}/repos',
    access: teamReader,
    scope: 'organization',
    params: TeamParams,
    parent: teamAt,
    query: PageQuery,
    answers: { 200: z.array(Repository), ...answers },
    async handle({ parent: { team }, caller, query, db, page, services }) {
      const part = page(query);
      const viewer = viewerOf(caller);
      const [rows, total] = await listTeamRepositories(db, team, viewer, part);
      return pageReply(await presentRepositories(rows, caller, services), total, part);
    },
  }),

  route({
    id: 'orgListTeamRepo',
    method: 'GET',
    path,
    access: teamReader,
    scope: 'organization',
    params: TeamRepositoryParams,
    parent: teamAt,
    answers: { 200: Repository, ...answers },
    async handle(request) {
      const { parent, caller, db, services } = request;
      const repository = await repositoryNamed(request);
      if (!(await hasRepository(db, parent.team, repository.id))) throw repositoryAbsent();
      return presentRepository(repository, caller, services);
    },
  }),

  route({
    id: 'orgAddTeamRepository',
    method: 'PUT',
    path,
    access: teamReader,
    scope: 'organization',
    params: TeamRepositoryParams,
    parent: teamAt,
    answers: { 204: nothing, ...answers },
    async handle(request) {
      const { parent, services, context, wrote } = request;
      const { id: repositoryId } = await repositoryAdministered(request);
      const given = { organizationId: parent.organization.id, teamId: parent.team.id, repositoryId };
      await wrote(await addTeamRepository(services.commands, given, context));
    },
  }),

  /** A team that includes all repositories keeps the repository. */
  route({
    id: 'orgRemoveTeamRepository',
    method: 'DELETE',
    path,
    access: teamReader,
    scope: 'organization',
    params: TeamRepositoryParams,
    parent: teamAt,
    answers: { 204: nothing, ...answers },
    async handle(request) {
      const { parent, handle, now, services, context, wrote } = request;
      const { id } = await repositoryAdministered(request);
      const data = { teamId: parent.team.id, repositoryId: id, at: now() };
      await handle(Organization, parent.organization.id, { type: 'RemoveTeamRepository', data });
      await wrote(await takeOffIssuesIn(services, id, context));
    },
  }),
];
