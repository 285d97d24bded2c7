import { z } from 'zod';
import type { Aggregate } from '../../../commands/aggregates.js';
import { createBranch, type NewBranch } from '../../../commands/repositories/create-branch.js';
import { deleteBranch } from '../../../commands/repositories/delete-ref.js';
import { renameBranch } from '../../../commands/repositories/rename-branch.js';
import { commitsOf, commitsOfRows } from '../../../commit-cache/commits-of.js';
import type { Queryable } from '../../../database/queryable.js';
import { notFound } from '../../../domain/errors.js';
import { rankOf } from '../../../domain/organizations/team-access.js';
import { checkBaseBranchName, checkBranchName } from '../../../domain/repositories/names.js';
import { BRANCHES } from '../../../domain/repositories/refs.js';
import type { RepositoryState } from '../../../domain/repositories/repository.js';
import type { Hash } from '../../../git/port/hash.js';
import { findRef, listBranches } from '../../../queries/repositories/refs.js';
import { Turns } from '../../../concurrency/turns.js';
import { pageReply, PageQuery } from '../../answers/paging.js';
import { route } from '../../route.js';
import { nothing, problem } from '../../schema.js';
import { codeReader, repositoryWriter } from '../access.js';
import { repositoryAt, type RepositoryRequest } from '../place.js';
import { branchView, pusherOf } from './branch-view.js';
import { presentBranch } from './present-branch.js';
import { beginningAt } from './revision.js';
import { stillWriter } from './still-writer.js';
import { Branch, CreateBranchBody, RenameBranchBody } from './branch-schema.js';

/** Makes the 404 for a branch that does not exist. */
const branchAbsent = () => notFound('branch.absent', 'no such branch');

/** Presents the branch as it is now. */
async function presentNamed(request: RepositoryRequest, name: string) {
  const { parent, db, services } = request;
  const { id } = parent.repository;
  const row = await branchAt(db, id, name);
  const tip = (await commitsOf(services, id, [row.hash])).get(row.hash);
  if (!tip) throw branchAbsent();
  return presentBranch(row.short_name, tip, await branchView(request, Promise.resolve([tip])));
}

/** Returns the commit at which a new branch begins: that of a branch, from older clients, or else of any revision. */
async function beginning(
  request: RepositoryRequest,
  repository: Aggregate<RepositoryState>,
  { old_branch_name: branch, old_ref_name: revision }: z.output<typeof CreateBranchBody>,
): Promise<Hash> {
  if (revision !== undefined || branch === undefined) return beginningAt(request, repository, revision ?? '');
  checkBaseBranchName(repository.state, branch, 'OldBranchName');
  const tip = repository.state.refs.get(BRANCHES + branch);
  if (tip === undefined) throw branchAbsent();
  return tip;
}

/** Finds the branch of that name. Throws 404 if there is none. */
async function branchAt(db: Queryable, repositoryId: number, name: string) {
  const row = await findRef(db, repositoryId, BRANCHES + name);
  if (!row) throw branchAbsent();
  return row;
}

const refusals = { 401: problem, 403: problem, 404: problem, 423: problem };

export const branchRoutes = [
  route({
    id: 'repoListBranches',
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: PageQuery,
    answers: { 200: z.array(Branch), 403: problem, 404: problem },
    async handle(request) {
      const { parent, query, db, services, page, url } = request;
      const { id } = parent.repository;
      const part = page(query);
      const listed = listBranches(db, id, part);
      const tipsListed = listed.then(([rows]) => commitsOfRows(services, id, rows));
      const [[rows, total], tips, view] = await Promise.all([
        listed,
        tipsListed,
        branchView(
          request,
          tipsListed.then((tips) => [...tips.values()]),
        ),
      ]);
      const turns = new Turns();
      const branches: z.output<typeof Branch>[] = [];
      for (const { name, hash } of rows) {
        const tip = tips.get(hash);
        if (tip) branches.push(await turns.take(() => presentBranch(name, tip, view)));
      }
      return pageReply(branches, total, part, url);
    },
  }),

  route({
    id: 'repoGetBranch',
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches/{branch*}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: Branch, 403: problem, 404: problem },
    handle: (request) => presentNamed(request, request.params.branch),
  }),

  route({
    id: 'repoCreateBranch',
    method: 'POST',
    path: '/repos/{owner}/{repo}/branches',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    body: CreateBranchBody,
    answers: { 201: Branch, ...refusals, 409: problem, 413: problem, 422: problem },
    async handle(request) {
      const { parent, body, caller, context, db, services, wrote } = request;
      checkBranchName(body.new_branch_name, 'NewBranchName');
      const branch: NewBranch = {
        repositoryId: parent.repository.id,
        pusher: await pusherOf(db, parent, caller),
        name: body.new_branch_name,
        from: (repository) => beginning(request, repository, body),
        ...stillWriter(request),
      };
      await wrote(await createBranch(services, branch, context));
      return presentNamed(request, branch.name);
    },
  }),

  route({
    id: 'repoDeleteBranch',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/branches/{branch*}',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 204: nothing, ...refusals, 409: problem },
    async handle(request) {
      const { parent, params, caller, context, services, wrote } = request;
      const branch = {
        repositoryId: parent.repository.id,
        pusherId: caller.accountId,
        name: params.branch,
        ...stillWriter(request),
      };
      await wrote(await deleteBranch(services, branch, context));
    },
  }),

  /** Renames the branch. Only administrators may rename the default branch. */
  route({
    id: 'repoUpdateBranch',
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/branches/{branch*}',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    exists: ({ parent, params, db }) => branchAt(db, parent.repository.id, params.branch),
    body: RenameBranchBody,
    answers: { 204: nothing, ...refusals, 409: problem, 422: problem },
    async handle(request) {
      const { parent, params, body, caller, context, services, wrote } = request;
      const { repository, rank } = parent;
      const branch = {
        repositoryId: repository.id,
        pusherId: caller.accountId,
        name: params.branch,
        to: body.name,
        mayBeDefault: rank >= rankOf('admin'),
        ...stillWriter(request),
      };
      await wrote(await renameBranch(services, branch, context));
    },
  }),
];
