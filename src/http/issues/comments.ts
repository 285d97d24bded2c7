import { z } from 'zod';
import { factsOf } from '../../commands/handle.js';
import { checkAuthorStays } from '../../commands/issues/check-author-stays.js';
import { Issue } from '../../domain/issues/issue.js';
import { issueKey } from '../../domain/issues/place.js';
import {
  findComment,
  listComments,
  type CommentFilter,
  type CommentPage,
} from '../../queries/issues/comments.js';
import type { Actions, Viewing } from '../actions.js';
import { reply } from '../answers/answer.js';
import { pageReply, type Page } from '../answers/paging.js';
import type { RepositoryMet } from '../repositories/place.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { etagOf, ifRevisionsOf } from './if-match.js';
import { changedAt } from './moments.js';
import {
  commentAbsent,
  commentAt,
  checkIssueThere,
  commentAuthorOrWriter,
  commentEditor,
  issueParticipant,
  issueReader,
  issuesAt,
  type CommentMet,
  issueToChangeAt,
  commentToChangeAt,
  commentOfIssueToChangeAt,
} from './place.js';
import { presentComments } from './presenter.js';
import { Comment, CommentBody, PartParams, CommentsQuery, IssuePartParams, IssueParams } from './schema.js';
import { bothSpellings } from './spellings.js';
import { rangeOf } from './times.js';
import { unlessArchived } from './unless-archived.js';

const refusals = { 401: problem, 403: problem, 404: problem, 422: problem, 423: problem };

async function presentPage(
  { repository }: RepositoryMet,
  filter: Omit<CommentFilter, 'repositoryId'>,
  part: Page & CommentPage,
  { db, caller, services }: Viewing,
  url?: string,
) {
  const chosen = { repositoryId: repository.id, ...filter };
  const [rows, total] = await listComments(db, chosen, part);
  // If there are comments, then the issue exists.
  if (rows.length === 0 && filter.number !== undefined)
    await checkIssueThere(db, repository.id, filter.number);
  return pageReply(await presentComments(rows, repository, caller, services), total, part, url);
}

/** Answers with the comment as it is now, and the tag of its issue for a later `If-Match`. */
async function commentNow(
  status: number,
  { repository }: RepositoryMet,
  id: number,
  { db, caller, services }: Viewing,
) {
  const row = await findComment(db, repository.id, id);
  if (!row) throw commentAbsent(); // deleted since, maybe with its repository
  const [comment] = await presentComments([row], repository, caller, services);
  return reply(status, comment, { ETag: etagOf(row.issue_revision) });
}

type CommentRequest = Pick<Actions, 'handle' | 'header' | 'now' | 'shown'> &
  Viewing & { readonly parent: CommentMet };

async function editComment(request: CommentRequest, body: z.output<typeof CommentBody>) {
  const { parent, handle } = request;
  const { repository, comment } = parent;
  const at = changedAt(request, body.updated_at, comment.created_at);
  const data = { commentId: comment.id, body: body.body, ...ifRevisionsOf(request), at };
  const edit = unlessArchived(request, { type: 'EditComment', data } as const);
  await handle(Issue, issueKey(repository.id, comment.number), edit);
  await request.shown();
  return commentNow(200, parent, comment.id, request);
}

async function deleteComment(request: CommentRequest): Promise<void> {
  const { repository, comment } = request.parent;
  const data = { commentId: comment.id, ...ifRevisionsOf(request), at: request.now() };
  await request.handle(Issue, issueKey(repository.id, comment.number), { type: 'DeleteComment', data });
}

/** The page for clients that ask for none: enough for nearly any issue, and bounded so that it fits in memory. */
const WHOLE = { number: 1, limit: 1_000, offset: 0, maxBytes: 16 * 1024 * 1024 };

export const commentRoutes = [
  ...bothSpellings({
    id: 'issueGetComments',
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{index}/comments',
    access: issueReader,
    scope: 'issue',
    params: IssueParams,
    parent: issuesAt,
    exists: ({ db, parent, params }) => checkIssueThere(db, parent.repository.id, params.index),
    query: CommentsQuery,
    answers: { 200: z.array(Comment), 403: problem, 404: problem, 422: problem },
    handle({ parent, params, query, page, url, ...asked }) {
      const filter = { number: params.index, ...rangeOf(query) };
      const isPaged = query.page > 0 || query.limit > 0;
      return isPaged
        ? presentPage(parent, filter, page(query), asked, url)
        : presentPage(parent, filter, WHOLE, asked);
    },
  }),

  route({
    id: 'issueGetRepoComments',
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/comments',
    access: issueReader,
    scope: 'issue',
    parent: issuesAt,
    query: CommentsQuery,
    answers: { 200: z.array(Comment), 403: problem, 404: problem, 422: problem },
    handle: ({ parent, query, page, url, ...asked }) =>
      presentPage(parent, rangeOf(query), page(query), asked, url),
  }),

  route({
    id: 'issueGetComment',
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/comments/{id}',
    access: issueReader,
    scope: 'issue',
    params: PartParams,
    parent: commentAt,
    answers: { 200: Comment, 403: problem, 404: problem },
    handle: ({ parent, ...asked }) => commentNow(200, parent, parent.comment.id, asked),
  }),

  ...bothSpellings({
    id: 'issueCreateComment',
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{index}/comments',
    access: issueParticipant,
    scope: 'issue',
    params: IssueParams,
    parent: issueToChangeAt,
    body: CommentBody,
    answers: { 201: Comment, ...refusals },
    async handle(request) {
      const { parent, body, caller, services, newId, wrote } = request;
      const { repository, issue } = parent;
      // Before the time is taken, so that of two comments made here the later one has the higher id.
      const commentId = await newId('comment');
      const at = changedAt(request, body.updated_at, issue.created_at);
      const data = { commentId, authorId: caller.accountId, body: body.body, at };
      const { context } = request;
      const key = issueKey(repository.id, issue.number);
      const comment = { type: 'Comment', data } as const;
      const handled = await services.commands.handle(Issue, key, unlessArchived(request, comment), context);
      const { commentId: id } = factsOf(handled, 'IssueCommented');
      const takeBack = { type: 'DeleteComment', data: { commentId: id, at: context.at } } as const;
      const writing = { authorId: caller.accountId, issue: key, takeBack };
      await Promise.all([checkAuthorStays(services.commands, writing, context), wrote(handled)]);
      return commentNow(201, parent, id, request);
    },
  }),

  route({
    id: 'issueEditComment',
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/issues/comments/{id}',
    access: commentEditor,
    scope: 'issue',
    params: PartParams,
    parent: commentToChangeAt,
    body: CommentBody,
    answers: { 200: Comment, 412: problem, ...refusals },
    handle: (request) => editComment(request, request.body),
  }),

  route({
    id: 'issueDeleteComment',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/comments/{id}',
    access: commentAuthorOrWriter,
    scope: 'issue',
    params: PartParams,
    parent: commentToChangeAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 412: problem },
    handle: deleteComment,
  }),

  ...bothSpellings({
    id: 'issueEditCommentDeprecated',
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/issues/{index}/comments/{id}',
    access: commentEditor,
    scope: 'issue',
    params: IssuePartParams,
    parent: commentOfIssueToChangeAt,
    body: CommentBody,
    answers: { 200: Comment, 412: problem, ...refusals },
    handle: (request) => editComment(request, request.body),
  }),

  ...bothSpellings({
    id: 'issueDeleteCommentDeprecated',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/{index}/comments/{id}',
    access: commentAuthorOrWriter,
    scope: 'issue',
    params: IssuePartParams,
    parent: commentOfIssueToChangeAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 412: problem },
    handle: deleteComment,
  }),
];
