import { z } from 'zod';
import { factsOf } from '../../commands/handle.js';
import { unarchived } from '../../commands/repositories/existing.js';
import {
  combinedState,
  CommitStatuses,
  commitStates,
  commitStatusesId,
} from '../../domain/repositories/commit-statuses.js';
import { checkNotArchived } from '../../domain/repositories/lifecycle.js';
import { Repository } from '../../domain/repositories/repository.js';
import { isHash } from '../../git/port/hash.js';
import {
  findKnownCommit,
  listCommitStatuses,
  listLatestStatuses,
  summaryOfStatuses,
  type CommitStatusRow,
} from '../../queries/repositories/commit-statuses.js';
import { presentUsersWithIds } from '../accounts/presenter.js';
import { timeText } from '../answers/time-text.js';
import { User } from '../accounts/schema.js';
import { reply } from '../answers/answer.js';
import { pageHeaders, PageQuery, pageReply } from '../answers/paging.js';
import { untilShown } from '../moment.js';
import { route } from '../route.js';
import { atMost, optional, problem, shownTime } from '../schema.js';
import { codeReader, repositoryWriter } from './access.js';
import { revisionAt } from './content/revision.js';
import { urlsOf } from './content/urls.js';
import { repositoryAt, standingOf, wholeRepositoryAt, type RepositoryRequest } from './place.js';
import { presentRepository } from './presenter.js';
import { Repository as PresentedRepository } from './schema.js';

const text = (max: number) => optional(atMost(max)).transform((given) => given?.trim() ?? '');

/** CreateStatusOption. */
const CreateStatusBody = z
  .object({
    state: z
      .string()
      .trim()
      .pipe(z.enum(commitStates, { error: `must be one of ${commitStates.join(', ')}` })),
    target_url: text(2_048),
    description: text(2_048),
    context: text(255),
  })
  .meta({ id: 'CreateStatusOption' });

const ASCENDING = new Set(['oldest', 'leastupdate', 'highestindex']);

/** An unknown state or order counts as absent. */
const StatusesQuery = PageQuery.extend({
  state: optional(z.string()).transform((word) => commitStates.find((state) => state === word) ?? null),
  sort: optional(z.string()),
});

const CommitStatus = z
  .object({
    id: z.int(),
    status: z.string(),
    target_url: z.string(),
    description: z.string(),
    url: z.string(),
    context: z.string(),
    creator: User.nullable(),
    created_at: shownTime,
    updated_at: shownTime,
  })
  .meta({ id: 'CommitStatus' });

const CombinedStatus = z
  .object({
    state: z.string(),
    sha: z.string(),
    total_count: z.int(),
    statuses: z.array(CommitStatus),
    repository: PresentedRepository,
    commit_url: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Status' });

/** Returns the full hash of the commit that a revision names, as `revisionAt` does, but mostly without asking git. */
async function commitNamed(request: RepositoryRequest, word: string): Promise<string> {
  const { id, is_empty } = request.parent.repository;
  const known = is_empty ? undefined : await findKnownCommit(request.db, id, word);
  return known ?? (await revisionAt(request, word)).hash;
}

/** As `commitNamed`, once a name leads to where it is by the log. Throws 503 if the read models are late. */
async function commitNamedNow(request: RepositoryRequest, word: string): Promise<string> {
  const { services, parent } = request;
  if (!isHash(word)) {
    const { position } = await services.commands.load(Repository, parent.repository.id);
    await untilShown(services, position);
  }
  return commitNamed(request, word);
}

/** Presents commit statuses with their creators. */
async function presentStatuses(
  { caller, services, parent }: RepositoryRequest,
  rows: readonly CommitStatusRow[],
) {
  const creatorIds = rows.map((row) => row.creator_id);
  const users = await presentUsersWithIds(creatorIds, caller, services);
  const { api } = urlsOf(parent.repository, services.config.baseUrl);
  return rows.map((row) => ({
    id: row.id,
    status: row.state,
    target_url: row.target_url,
    description: row.description,
    url: `${api}/statuses/${row.sha}`,
    context: row.context,
    creator: users.get(row.creator_id) ?? null,
    created_at: timeText(row.created_at),
    updated_at: timeText(row.created_at),
  }));
}

/** Makes a route that combines the statuses of all contexts of a commit, and lists these by page. */
const combinedStatus = (id: string, word: 'status' | 'statuses') =>
  route({
    id,
    method: 'GET',
    path: `/repos/{owner}/{repo}/commits/{ref}/${word}`,
    access: codeReader,
    scope: 'repository',
    parent: wholeRepositoryAt,
    query: PageQuery,
    answers: { 200: CombinedStatus, 403: problem, 404: problem },
    async handle(request) {
      const { parent, params, query, caller, db, page, services, url } = request;
      const { repository } = parent;
      const sha = await commitNamed(request, params.ref);
      const part = page(query);
      const [rows, { contexts, states }] = await Promise.all([
        listLatestStatuses(db, repository.id, sha, part),
        summaryOfStatuses(db, repository.id, sha),
      ]);
      const { api } = urlsOf(repository, services.config.baseUrl);
      const body = {
        state: combinedState(states),
        sha,
        total_count: contexts,
        statuses: await presentStatuses(request, rows),
        repository: await presentRepository(repository, caller, services),
        commit_url: `${api}/git/commits/${sha}`,
        url: `${api}/commits/${sha}/status`,
      };
      return reply(200, body, pageHeaders(contexts, part, url));
    },
  });

export const statusRoutes = [
  combinedStatus('repoGetCombinedStatusByRef', 'statuses'),
  combinedStatus('repoGetCombinedStatus', 'status'),

  route({
    id: 'repoListStatuses',
    method: 'GET',
    path: '/repos/{owner}/{repo}/statuses/{sha}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: StatusesQuery,
    answers: { 200: z.array(CommitStatus), 403: problem, 404: problem },
    async handle(request) {
      const { parent, params, query, db, page, url } = request;
      const sha = await commitNamed(request, params.sha);
      const asked = { repositoryId: parent.repository.id, sha, state: query.state };
      const part = page(query);
      const [rows, total] = await listCommitStatuses(db, asked, ASCENDING.has(query.sort ?? ''), part);
      return pageReply(await presentStatuses(request, rows), total, part, url);
    },
  }),

  route({
    id: 'repoCreateStatus',
    method: 'POST',
    path: '/repos/{owner}/{repo}/statuses/{sha}',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    exists: (request) => commitNamed(request, request.params.sha),
    body: CreateStatusBody,
    answers: { 201: CommitStatus, 401: problem, 403: problem, 404: problem, 422: problem, 423: problem },
    async handle(request) {
      const { parent, params, body, caller, handle, now, services, wasDone } = request;
      const repositoryId = parent.repository.id;
      if (!wasDone) checkNotArchived(standingOf(parent));
      const sha = await commitNamedNow(request, params.sha);
      const facts = {
        repositoryId,
        sha,
        state: body.state,
        context: body.context,
        description: body.description,
        targetUrl: body.target_url,
        creatorId: caller.accountId,
      };
      const report = async () => {
        await unarchived(services, repositoryId);
        return { type: 'ReportCommitStatus', data: { ...facts, at: now() } } as const;
      };
      const handled = await handle(CommitStatuses, commitStatusesId(repositoryId, sha), report);
      const { statusId, targetUrl, creatorId, reportedAt, ...rest } = factsOf(
        handled,
        'CommitStatusReported',
      );
      const row = {
        ...rest,
        id: statusId,
        repository_id: repositoryId,
        target_url: targetUrl,
        creator_id: creatorId,
        created_at: new Date(reportedAt),
      };
      const [status] = await presentStatuses(request, [row]);
      return status;
    },
  }),
];
