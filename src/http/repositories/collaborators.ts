import { z } from 'zod';
import { takeOffIssues } from '../../commands/issues/take-off.js';
import { invalid, notFound } from '../../domain/errors.js';
import { accessLevels, rankOf } from '../../domain/organizations/team-access.js';
import { collaboratorPermissions } from '../../domain/repositories/repository-messages.js';
import { Repository } from '../../domain/repositories/repository.js';
import { accountAsViewer } from '../../queries/repositories/access.js';
import {
  isCollaborator,
  listAssignees,
  listCollaborators,
} from '../../queries/repositories/collaborators.js';
import { findRepositoryById } from '../../queries/repositories/repositories.js';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import { accessWhere, signedInHere } from '../access.js';
import { presentAccount, presentUsers } from '../accounts/presenter.js';
import { User } from '../accounts/schema.js';
import { couldBeAName, followMoved } from '../find.js';
import { pageReply, PageQuery, wholeReply } from '../answers/paging.js';
import { route } from '../route.js';
import { nothing, orNothing, problem } from '../schema.js';
import { repositoryAdministrator } from './access.js';
import { repositoryAt, type RepositoryMet, type RepositoryPath, type RepositoryRequest } from './place.js';
import { peopleSeenIn, personNamed } from './people.js';

/** AddCollaboratorOption. Without a permission, new collaborators may write and existing ones keep theirs. */
const AddCollaboratorBody = z
  .object({
    permission: orNothing(
      z.enum(['', ...collaboratorPermissions], {
        error: `must be one of ${collaboratorPermissions.join(', ')}`,
      }),
    ),
  })
  .meta({ id: 'AddCollaboratorOption' });

const RepoCollaboratorPermission = z
  .object({ permission: z.string(), role_name: z.string(), user: User })
  .meta({ id: 'RepoCollaboratorPermission' });

const selfOrRepositoryAdministrator = accessWhere<RepositoryMet>(
  'the collaborator or an administrator of the repository',
  'administrators of the repository only',
  ({ name }, { params, parent }) =>
    params.collaborator?.toLowerCase() === name.toLowerCase() || parent.rank >= rankOf('admin'),
);

/** As `repositoryAt`, but throws `AccountMoved` for a former name of somebody, who may be the caller. */
async function repositoryWithPersonAt(
  path: RepositoryPath & { readonly params: { readonly collaborator: string } },
): Promise<RepositoryMet> {
  const met = await repositoryAt(path);
  if (path.caller) await followMoved(path.db, path.params.collaborator, path.caller);
  return met;
}

/** As `personNamed`, but throws `AccountMoved` for a former name. */
async function personAt(request: RepositoryRequest, name: string): Promise<AccountRow | undefined> {
  const account = await personNamed(request, name);
  if (!account) await followMoved(request.db, name, request.caller);
  return account;
}

/** As `personAt`, but throws 422 for a name that no account has. */
async function userNamed(request: RepositoryRequest, name: string): Promise<AccountRow> {
  const account = await personAt(request, name);
  if (!account) throw invalid('collaborator.unknown', 'Collaborator', 'no such user');
  return account;
}

export const collaboratorRoutes = [
  route({
    id: 'repoListCollaborators',
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators',
    access: signedInHere,
    scope: 'repository',
    parent: repositoryAt,
    query: PageQuery,
    answers: { 200: z.array(User), 401: problem, 403: problem, 404: problem },
    async handle({ parent, caller, query, db, page, services, url }) {
      const part = page(query);
      const asked = { repositoryId: parent.repository.id, knower: peopleSeenIn(parent, caller) };
      const [rows, total] = await listCollaborators(db, asked, part);
      return pageReply(await presentUsers(rows, caller, services), total, part, url);
    },
  }),

  route({
    id: 'repoCheckCollaborator',
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{collaborator}',
    access: signedInHere,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: nothing },
    async handle({ parent, params: { collaborator }, caller, db }) {
      const asked = { repositoryId: parent.repository.id, knower: peopleSeenIn(parent, caller) };
      if (couldBeAName(collaborator) && (await isCollaborator(db, asked, collaborator))) return;
      await followMoved(db, collaborator, caller);
      throw notFound('collaborator.absent', 'not a collaborator');
    },
  }),

  route({
    id: 'repoAddCollaborator',
    method: 'PUT',
    path: '/repos/{owner}/{repo}/collaborators/{collaborator}',
    access: repositoryAdministrator,
    scope: 'repository',
    parent: repositoryAt,
    body: AddCollaboratorBody,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem, 423: problem },
    async handle(request) {
      const { params, body, services, handle, now } = request;
      const { repository } = request.parent;
      const { permission } = body;
      const { id: accountId, kind } = await userNamed(request, params.collaborator);
      if (kind !== 'user')
        throw invalid('collaborator.kind', 'Collaborator', 'an organization is no collaborator');
      const standing = await services.vault.credentials.state(accountId);
      if (!standing?.active)
        throw invalid('collaborator.inactive', 'Collaborator', 'the account is not active');
      const data = { accountId, permission, at: now() };
      await handle(Repository, repository.id, { type: 'AddCollaborator', data });
    },
  }),

  /** Collaborators may remove themselves. */
  route({
    id: 'repoDeleteCollaborator',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/collaborators/{collaborator}',
    access: selfOrRepositoryAdministrator,
    scope: 'repository',
    parent: repositoryWithPersonAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem, 423: problem },
    async handle(request) {
      const { params, handle, now, services, context, wrote } = request;
      const { repository } = request.parent;
      const { id: accountId } = await userNamed(request, params.collaborator);
      const data = { accountId, at: now() };
      await handle(Repository, repository.id, { type: 'RemoveCollaborator', data });
      await wrote(await takeOffIssues(services, repository.id, [accountId], context));
    },
  }),

  /** The permission includes what the user may do by other ways than as a collaborator. */
  route({
    id: 'repoGetRepoPermissions',
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{collaborator}/permission',
    access: selfOrRepositoryAdministrator,
    scope: 'repository',
    parent: repositoryWithPersonAt,
    answers: { 200: RepoCollaboratorPermission, 401: problem, 403: problem, 404: problem },
    async handle(request) {
      const { params, caller, db, services } = request;
      const { repository } = request.parent;
      const account = await personAt(request, params.collaborator);
      if (account?.kind !== 'user') throw notFound('collaborator.unknown', 'no such user');
      const seen = await findRepositoryById(db, repository.id, accountAsViewer(account));
      const permission = accessLevels[seen?.viewer_rank ?? 0] ?? 'none';
      return { permission, role_name: permission, user: await presentAccount(account, caller, services) };
    },
  }),

  route({
    id: 'repoGetAssignees',
    method: 'GET',
    path: '/repos/{owner}/{repo}/assignees',
    access: signedInHere,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: z.array(User), 401: problem, 403: problem, 404: problem },
    async handle({ parent, caller, db, services }) {
      const assignees = await listAssignees(db, parent.repository, peopleSeenIn(parent, caller));
      const states = await services.vault.credentials.states(assignees.map(({ id }) => id));
      const active = assignees.filter(({ id }) => states.get(id)?.active);
      return wholeReply(await presentUsers(active, caller, services));
    },
  }),
];
