import { z } from 'zod';
import { invalid } from '../../domain/errors.js';
import { Issue } from '../../domain/issues/issue.js';
import type { IssueCommand } from '../../domain/issues/issue-messages.js';
import { issueKey } from '../../domain/issues/place.js';
import { findIssue } from '../../queries/issues/issues.js';
import { labelsCarried, listUsableLabels } from '../../queries/issues/labels.js';
import type { Actions } from '../actions.js';
import { reply } from '../answers/answer.js';
import { Label } from '../labels.js';
import { problem, nothing } from '../schema.js';
import { etagOf, ifRevisionsOf } from './if-match.js';
import { changedAt } from './moments.js';
import { issueAt, issueReader, issueWriter, type IssueMet, issueToChangeAt } from './place.js';
import { presentLabel } from './presenter.js';
import { labelsNamed, remainingOf } from './references.js';
import { DateBody, IssuePartParams, IssueLabelsBody, IssueParams } from './schema.js';
import { bothSpellings } from './spellings.js';
import { unlessArchived } from './unless-archived.js';

const refusals = { 401: problem, 403: problem, 404: problem, 412: problem, 422: problem, 423: problem };

type Request = Pick<Actions, 'handle' | 'header' | 'now' | 'shown' | 'db' | 'services'> & {
  readonly parent: IssueMet;
};

/** Answers with the issue's labels, and the tag for a later `If-Match`. */
async function labelsOf({ repository, issue }: IssueMet, { db, services }: Pick<Actions, 'db' | 'services'>) {
  const carried = await labelsCarried(db, [issue]);
  const labels = carried(issue).map((label) => presentLabel(label, repository, services.config.baseUrl));
  return reply(200, labels, { ETag: etagOf(issue.revision) });
}

async function carryOut(
  request: Request,
  command: IssueCommand | (() => Promise<IssueCommand>),
): Promise<void> {
  const { repository, issue } = request.parent;
  await request.handle(Issue, issueKey(repository.id, issue.number), unlessArchived(request, command));
}

/** Returns what a change of labels has to know of the issue: what still exists, and which labels it does not show. */
async function standingOf({ parent: { issue }, db, services }: Request) {
  const [remaining, carried] = await Promise.all([remainingOf(services, issue), labelsCarried(db, [issue])]);
  const shown = new Set(carried(issue).map(({ id }) => id));
  return { remaining, hiddenLabelIds: issue.label_ids.filter((id) => !shown.has(id)) };
}

/** Changes the labels and answers with all that the issue then has. */
async function relabel(
  request: Request & { readonly body: z.output<typeof IssueLabelsBody> },
  type: 'AddIssueLabels' | 'ReplaceIssueLabels',
) {
  const { parent, body, db } = request;
  const { repository, issue } = parent;
  const at = changedAt(request, body.updated_at, issue.created_at);
  const standing = await standingOf(request);
  await carryOut(request, async () => {
    const chosen = await labelsNamed(db, repository, body.labels ?? [], { issue });
    return { type, data: { ...chosen, ...standing, ...ifRevisionsOf(request), at } };
  });
  await request.shown();
  const changed = await findIssue(db, repository.id, issue.number);
  return labelsOf({ ...parent, issue: changed ?? issue }, request);
}

export const issueLabelRoutes = [
  ...bothSpellings({
    id: 'issueGetLabels',
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{index}/labels',
    access: issueReader,
    scope: 'issue',
    params: IssueParams,
    parent: issueAt,
    answers: { 200: z.array(Label), 403: problem, 404: problem },
    handle: ({ parent, ...asked }) => labelsOf(parent, asked),
  }),

  ...bothSpellings({
    id: 'issueAddLabel',
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{index}/labels',
    access: issueWriter,
    scope: 'issue',
    params: IssueParams,
    parent: issueToChangeAt,
    body: IssueLabelsBody,
    answers: { 200: z.array(Label), ...refusals },
    handle: (request) => relabel(request, 'AddIssueLabels'),
  }),

  ...bothSpellings({
    id: 'issueReplaceLabels',
    method: 'PUT',
    path: '/repos/{owner}/{repo}/issues/{index}/labels',
    access: issueWriter,
    scope: 'issue',
    params: IssueParams,
    parent: issueToChangeAt,
    body: IssueLabelsBody,
    answers: { 200: z.array(Label), ...refusals },
    handle: (request) => relabel(request, 'ReplaceIssueLabels'),
  }),

  ...bothSpellings({
    id: 'issueClearLabels',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/{index}/labels',
    access: issueWriter,
    scope: 'issue',
    params: IssueParams,
    parent: issueToChangeAt,
    body: DateBody,
    answers: { 204: nothing, ...refusals },
    async handle(request) {
      const { issue } = request.parent;
      const at = changedAt(request, request.body.updated_at, issue.created_at);
      const standing = await standingOf(request);
      await carryOut(request, {
        type: 'ClearIssueLabels',
        data: { ...standing, ...ifRevisionsOf(request), at },
      });
    },
  }),

  ...bothSpellings({
    id: 'issueRemoveLabel',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/{index}/labels/{id}',
    access: issueWriter,
    scope: 'issue',
    params: IssuePartParams,
    parent: issueToChangeAt,
    body: DateBody,
    answers: { 204: nothing, ...refusals },
    async handle(request) {
      const { parent, params, body, db } = request;
      const usable = await listUsableLabels(db, parent.repository);
      if (!usable.some(({ id }) => id === params.id))
        throw invalid('labels.unknown', 'Id', `there is no label ${params.id}`);
      const at = changedAt(request, body.updated_at, parent.issue.created_at);
      const data = { labelId: params.id, ...ifRevisionsOf(request), at };
      await carryOut(request, { type: 'RemoveIssueLabel', data });
    },
  }),
];
