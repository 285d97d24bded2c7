import { z } from 'zod';
import { step } from '../../commands/context.js';
import { factsOf } from '../../commands/handle.js';
import { checkAuthorStays } from '../../commands/issues/check-author-stays.js';
import type { OpenedIssue } from '../../commands/issues/issue-opener.js';
import { takeOffIssues } from '../../commands/issues/take-off.js';
import { unarchived } from '../../commands/repositories/existing.js';
import { Issue as IssueStream } from '../../domain/issues/issue.js';
import { issueKey } from '../../domain/issues/place.js';
import { listIssues } from '../../queries/issues/issue-lists.js';
import { findIssueByKey, findLastIssueNumber, type IssueRow } from '../../queries/issues/issues.js';
import { timeText } from '../answers/time-text.js';
import type { Actions, Viewing } from '../actions.js';
import type { Principal } from '../caller.js';
import { reply } from '../answers/answer.js';
import { pageReply } from '../answers/paging.js';
import type { RepositoryMet } from '../repositories/place.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { filterFor } from './filter.js';
import { etagOf, ifRevisionsOf } from './if-match.js';
import { changedAt } from './moments.js';
import {
  issueAbsent,
  issueAdministrator,
  issueAt,
  issueParticipant,
  issuePosterOrWriter,
  issueReader,
  issuesAt,
  issueWriter,
  writesIssues,
  type IssueMet,
  issueToChangeAt,
} from './place.js';
import { presentIssues } from './presenter.js';
import { labelsNamed, remainingOf } from './references.js';
import {
  CreateIssueBody,
  Deadline,
  DeadlineBody,
  EditIssueBody,
  Issue,
  IssueParams,
  IssuesQuery,
} from './schema.js';
import { bothSpellings } from './spellings.js';
import { instant } from './times.js';
import { unlessArchived } from './unless-archived.js';
import { changesIn, factsIn } from './written.js';

const refusals = { 401: problem, 403: problem, 404: problem, 422: problem, 423: problem };

/** Answers with the issue as it is now, and the tag for a later `If-Match`. */
async function issueNow(status: number, { repository }: RepositoryMet, number: number, asked: Viewing) {
  const row = await findIssueByKey(asked.db, issueKey(repository.id, number));
  if (!row) throw issueAbsent(); // deleted since, maybe with its repository
  return answerFor(status, row, repository, asked);
}

async function answerFor(
  status: number,
  row: IssueRow,
  repository: RepositoryMet['repository'],
  { caller, services }: Viewing,
) {
  const [issue] = await presentIssues([row], repository, caller, services);
  return reply(status, issue, { ETag: etagOf(row.revision) });
}

/** Unassigns those of the accounts just assigned that have lost access meanwhile, which the read models must show first. */
async function takeOff(
  { parent: { repository }, services, context, wrote, shown }: Actions & { readonly parent: RepositoryMet },
  accountIds: readonly number[],
): Promise<void> {
  if (accountIds.length === 0) return;
  await shown();
  await wrote(await takeOffIssues(services, repository.id, accountIds, step(context, 'take off')));
}

type OpeningRequest = Actions & {
  readonly caller: Principal;
  readonly parent: RepositoryMet;
  readonly body: z.output<typeof CreateIssueBody>;
};

async function openIssue(request: OpeningRequest): Promise<OpenedIssue> {
  const { parent, body, caller, db, services, newId } = request;
  const { repository } = parent;
  const isWriter = writesIssues(parent);
  const facts = await factsIn(body, { parent, caller, db, isWriter });
  const wanted = isWriter ? (body.labels ?? []) : [];
  const labels =
    wanted.length > 0
      ? await labelsNamed(db, repository, wanted, { unknown: 'leave out' })
      : { labelIds: [], scopes: {} };
  // Before the time is taken, so that of two issues opened here the later one has the higher id and index.
  const issueId = await newId('issue');
  const { context, now } = request;
  await unarchived(services, repository.id);
  return services.issueOpener.open(
    repository.id,
    () => findLastIssueNumber(db, repository.id),
    {
      issueId,
      posterId: caller.accountId,
      facts,
      ...labels,
      isClosed: body.closed ?? false,
      at: now(),
    },
    context,
  );
}

export const issueRoutes = [
  route({
    id: 'issueListIssues',
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues',
    access: issueReader,
    scope: 'issue',
    parent: issuesAt,
    query: IssuesQuery,
    answers: { 200: z.array(Issue), 403: problem, 404: problem, 422: problem },
    async handle({ parent: { repository }, query, caller, db, services, page, url }) {
      const part = page(query);
      const filter = await filterFor(db, repository, query, caller);
      if (!filter) return pageReply([], 0, part, url);
      const [rows, total] = await listIssues(db, repository.id, filter, part);
      return pageReply(await presentIssues(rows, repository, caller, services), total, part, url);
    },
  }),

  /** From callers who are not writers, fields that only writers may set are ignored. */
  route({
    id: 'issueCreateIssue',
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues',
    access: issueParticipant,
    scope: 'issue',
    parent: issuesAt,
    body: CreateIssueBody,
    answers: { 201: Issue, ...refusals },
    async handle(request) {
      const { parent, caller, services, wrote, wasDone } = request;
      const earlier = wasDone
        ? await services.issueOpener.openedBefore(parent.repository.id, request.context)
        : undefined;
      const opened = earlier ?? (await openIssue(request)); // what it names may be gone since it was opened
      const { context } = request;
      const takeBack = { type: 'DeleteIssue', data: { at: context.at } } as const;
      const issue = issueKey(parent.repository.id, opened.number);
      const writing = { authorId: caller.accountId, issue, takeBack };
      await Promise.all([checkAuthorStays(services.commands, writing, context), wrote(opened)]);
      await takeOff(request, factsOf(opened, 'IssueOpened').assigneeIds);
      return issueNow(201, parent, opened.number, request);
    },
  }),

  ...bothSpellings({
    id: 'issueGetIssue',
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{index}',
    access: issueReader,
    scope: 'issue',
    params: IssueParams,
    parent: issueAt,
    answers: { 200: Issue, 403: problem, 404: problem },
    handle: (request) => answerFor(200, request.parent.issue, request.parent.repository, request),
  }),

  ...bothSpellings({
    id: 'issueEditIssue',
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/issues/{index}',
    access: issuePosterOrWriter,
    scope: 'issue',
    params: IssueParams,
    parent: issueToChangeAt,
    body: EditIssueBody,
    answers: { 201: Issue, 400: problem, 412: problem, ...refusals },
    async handle(request) {
      const { parent, body, caller, db, services, handle, shown } = request;
      const { issue } = parent;
      const isWriter = writesIssues(parent);
      const edit = async () => {
        const data = {
          changes: await changesIn(body, { parent, caller, db, isWriter }),
          remaining: await remainingOf(services, issue),
          ...ifRevisionsOf(request),
          at: changedAt(request, body.updated_at, issue.created_at),
        };
        return { type: 'EditIssue', data } as const;
      };
      const { events } = await handle(IssueStream, keyOf(parent), unlessArchived(request, edit));
      await takeOff(
        request,
        events.flatMap((event) => (event.type === 'IssueAssigneesChanged' ? event.data.added : [])),
      );
      await shown();
      return issueNow(201, parent, issue.number, request);
    },
  }),

  ...bothSpellings({
    id: 'issueDelete',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/{index}',
    access: issueAdministrator,
    scope: 'issue',
    params: IssueParams,
    parent: issueToChangeAt,
    answers: { 204: nothing, 412: problem, ...refusals },
    async handle(request) {
      const { parent, handle, now } = request;
      const data = { ...ifRevisionsOf(request), at: now() };
      await handle(IssueStream, keyOf(parent), unlessArchived(request, { type: 'DeleteIssue', data }));
    },
  }),

  ...bothSpellings({
    id: 'issueEditIssueDeadline',
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{index}/deadline',
    access: issueWriter,
    scope: 'issue',
    params: IssueParams,
    parent: issueToChangeAt,
    body: DeadlineBody,
    answers: { 201: Deadline, 412: problem, ...refusals },
    async handle(request) {
      const { parent, body, handle, now } = request;
      const dueAt = body.due_date === undefined ? null : instant(body.due_date);
      const data = { changes: { dueAt }, ...ifRevisionsOf(request), at: now() };
      await handle(IssueStream, keyOf(parent), unlessArchived(request, { type: 'EditIssue', data }));
      return { due_date: dueAt && timeText(new Date(dueAt)) };
    },
  }),
];

const keyOf = ({ repository, issue }: IssueMet) => issueKey(repository.id, issue.number);
