import { Map, OrderedSet } from 'immutable';
import type { Decider } from '../decider.js';
import { orErased } from '../erased.js';
import { conflict, DomainError, invalid, notFound } from '../errors.js';
import type { ExclusiveScopes, IssueCommand, IssueEvent, IssueFacts } from './issue-messages.js';

export type { IssueEvent } from './issue-messages.js';

/** What rules know of an issue, `comments` by their ids. Texts of erased people are a placeholder. */
export interface IssueState {
  readonly status: 'absent' | 'exists' | 'deleted';
  /** Of the stream: what an `ETag` names. */
  readonly revision: number;
  readonly issueId: number;
  readonly posterId: number;
  readonly facts: IssueFacts;
  readonly labelIds: OrderedSet<number>;
  readonly isClosed: boolean;
  readonly comments: Map<number, { readonly authorId: number; readonly body: string }>;
}

const noFacts: IssueFacts = { title: '', body: '', ref: '', assigneeIds: [], milestoneId: null, dueAt: null };

/** Characters. */
const LONGEST_TITLE = 255;
/** Bytes of UTF-8. */
const MAX_BODY_BYTES = 262_144;

/** One issue with its comments. Its stream is named by repository and index, so opening it claims the index. */
export const Issue: Decider<IssueCommand, IssueEvent, IssueState> = {
  category: 'issue',
  initialState: {
    status: 'absent',
    revision: -1,
    issueId: 0,
    posterId: 0,
    facts: noFacts,
    labelIds: OrderedSet(),
    isClosed: false,
    comments: Map(),
  },

  evolve(before, event) {
    return evolve({ ...before, revision: before.revision + 1 }, event);
  },

  decide({ type, data }, state) {
    if (type === 'OpenIssue') return open(data, state);
    if (state.status !== 'exists') throw notFound('issue.absent', 'the issue does not exist');
    if ('ifRevisions' in data && !data.ifRevisions.includes(state.revision))
      throw new DomainError('precondition', 'issue.changed', 'the issue was changed by somebody else');
    switch (type) {
      case 'EditIssue':
        return edit(data.changes, state, data.at);
      case 'AddIssueLabels':
        return labelled(state, [...state.labelIds, ...data.labelIds], data.scopes, data.at);
      case 'ReplaceIssueLabels':
        return labelled(state, data.labelIds, data.scopes, data.at);
      case 'ClearIssueLabels':
        return labelled(state, [], {}, data.at, true);
      case 'RemoveIssueLabel':
        return labelled(state, [...state.labelIds.delete(data.labelId)], {}, data.at);
      case 'UnassignIssue': {
        const assigneeIds = state.facts.assigneeIds.filter((id) => id !== data.accountId);
        return edit({ assigneeIds }, state, data.at);
      }
      case 'CloseIssueByCommit': {
        const { commitId, closes, at } = data;
        if (closes === state.isClosed) return [];
        return closes
          ? [{ type: 'IssueClosed', data: { milestoneId: state.facts.milestoneId, commitId, closedAt: at } }]
          : [
              {
                type: 'IssueReopened',
                data: { milestoneId: state.facts.milestoneId, commitId, reopenedAt: at },
              },
            ];
      }
      case 'Comment': {
        const { commentId, authorId, body, at } = data;
        checkComment(body);
        return [{ type: 'IssueCommented', data: { commentId, authorId, body, commentedAt: at } }];
      }
      case 'EditComment': {
        const { commentId, body, at } = data;
        const { authorId, body: before } = commentOf(state, commentId);
        checkComment(body);
        return body === before
          ? []
          : [{ type: 'CommentEdited', data: { commentId, authorId, body, before, editedAt: at } }];
      }
      case 'DeleteComment': {
        const { commentId, at } = data;
        const { authorId } = commentOf(state, commentId);
        return [{ type: 'CommentDeleted', data: { commentId, authorId, deletedAt: at } }];
      }
      case 'DeleteIssue':
        return [
          {
            type: 'IssueDeleted',
            data: {
              issueId: state.issueId,
              wasClosed: state.isClosed,
              milestoneId: state.facts.milestoneId,
              deletedAt: data.at,
            },
          },
        ];
    }
  },
};

function evolve(state: IssueState, { type, data }: IssueEvent): IssueState {
  const withFacts = (facts: Partial<IssueFacts>) => ({ ...state, facts: { ...state.facts, ...facts } });
  switch (type) {
    case 'IssueOpened': {
      const { issueId, posterId, ref, assigneeIds, milestoneId, dueAt, labelIds } = data;
      const texts = { title: orErased(data.title), body: orErased(data.body) };
      const facts = { ...texts, ref, assigneeIds, milestoneId, dueAt };
      return { ...state, status: 'exists', issueId, posterId, facts, labelIds: OrderedSet(labelIds) };
    }
    case 'IssueTitleChanged':
      return withFacts({ title: orErased(data.title) });
    case 'IssueBodyChanged':
      return withFacts({ body: orErased(data.body) });
    case 'IssueRefChanged':
      return withFacts({ ref: data.ref });
    case 'IssueDeadlineChanged':
      return withFacts({ dueAt: data.dueAt });
    case 'IssueAssigneesChanged':
      return withFacts({ assigneeIds: data.assigneeIds });
    case 'IssueMilestoneChanged':
      return withFacts({ milestoneId: data.milestoneId });
    case 'IssueLabelsChanged':
      return { ...state, labelIds: OrderedSet(data.labelIds) };
    case 'IssueClosed':
      return { ...state, isClosed: true };
    case 'IssueReopened':
      return { ...state, isClosed: false };
    case 'IssueCommented': {
      const { commentId, authorId } = data;
      const body = orErased(data.body);
      return { ...state, comments: state.comments.set(commentId, { authorId, body }) };
    }
    case 'CommentEdited': {
      const { commentId } = data;
      const body = orErased(data.body);
      const { comments } = state;
      const comment = comments.get(commentId);
      return comment ? { ...state, comments: comments.set(commentId, { ...comment, body }) } : state;
    }
    case 'CommentDeleted':
      return { ...state, comments: state.comments.delete(data.commentId) };
    case 'IssueDeleted':
      return { ...state, status: 'deleted', comments: Map() };
  }
}

function open(
  data: Extract<IssueCommand, { type: 'OpenIssue' }>['data'],
  { status }: IssueState,
): IssueEvent[] {
  if (status !== 'absent') throw conflict('issue.index_taken', 'the index is taken');
  const { issueId, posterId, facts, labelIds, scopes, isClosed, at } = data;
  const opened: IssueEvent = {
    type: 'IssueOpened',
    data: { issueId, posterId, ...checked(facts), labelIds: compatible(labelIds, scopes), openedAt: at },
  };
  return isClosed
    ? [opened, { type: 'IssueClosed', data: { milestoneId: facts.milestoneId, closedAt: at } }]
    : [opened];
}

/** The events of all changes, in the order in which clients see them, or none of them where one is refused. */
function edit(
  { isClosed, ...changes }: Extract<IssueCommand, { type: 'EditIssue' }>['data']['changes'],
  state: IssueState,
  at: string,
): IssueEvent[] {
  const { facts: before, posterId } = state;
  const after = checked({ ...before, ...changes });
  const events: IssueEvent[] = [];
  if (after.title !== before.title)
    events.push({
      type: 'IssueTitleChanged',
      data: { posterId, title: after.title, before: before.title, changedAt: at },
    });
  if (after.body !== before.body)
    events.push({
      type: 'IssueBodyChanged',
      data: { posterId, body: after.body, before: before.body, changedAt: at },
    });
  if (after.ref !== before.ref)
    events.push({ type: 'IssueRefChanged', data: { ref: after.ref, before: before.ref, changedAt: at } });
  if (after.dueAt !== before.dueAt)
    events.push({
      type: 'IssueDeadlineChanged',
      data: { dueAt: after.dueAt, before: before.dueAt, changedAt: at },
    });
  const assignees = difference(before.assigneeIds, after.assigneeIds);
  if (assignees)
    events.push({
      type: 'IssueAssigneesChanged',
      data: { assigneeIds: after.assigneeIds, ...assignees, changedAt: at },
    });
  if (after.milestoneId !== before.milestoneId)
    events.push({
      type: 'IssueMilestoneChanged',
      data: {
        milestoneId: after.milestoneId,
        before: before.milestoneId,
        isClosed: state.isClosed,
        changedAt: at,
      },
    });
  const { milestoneId } = after;
  if (isClosed === true && !state.isClosed)
    events.push({ type: 'IssueClosed', data: { milestoneId, closedAt: at } });
  if (isClosed === false && state.isClosed)
    events.push({ type: 'IssueReopened', data: { milestoneId, reopenedAt: at } });
  return events;
}

function checked(facts: IssueFacts): IssueFacts {
  const title = facts.title.trim();
  if (title === '') throw invalid('issue.title_missing', 'Title', 'Required');
  if ([...title].length > LONGEST_TITLE)
    throw invalid('issue.title_long', 'Title', `must have ${LONGEST_TITLE} characters at most`);
  checkSize(facts.body);
  return { ...facts, title, assigneeIds: [...new Set(facts.assigneeIds)] };
}

function checkComment(body: string): void {
  if (body.trim() === '') throw invalid('comment.body_missing', 'Body', 'Required');
  checkSize(body);
}

function checkSize(body: string): void {
  if (new TextEncoder().encode(body).length > MAX_BODY_BYTES)
    throw invalid('issue.body_large', 'Body', `must have ${MAX_BODY_BYTES} bytes at most`);
}

function commentOf({ comments }: IssueState, commentId: number) {
  const comment = comments.get(commentId);
  if (!comment) throw notFound('comment.absent', 'the comment does not exist');
  return comment;
}

function labelled(
  { labelIds: before }: IssueState,
  wanted: readonly number[],
  scopes: ExclusiveScopes,
  at: string,
  cleared = false,
): IssueEvent[] {
  const labelIds = compatible(wanted, scopes);
  const change = difference([...before], labelIds);
  return change
    ? [{ type: 'IssueLabelsChanged', data: { labelIds, ...change, cleared, changedAt: at } }]
    : [];
}

/** Of labels that exclude each other, the last one. */
function compatible(labelIds: readonly number[], scopes: ExclusiveScopes): number[] {
  const scopeOf = (id: number) => scopes[String(id)];
  return labelIds.filter((id, index) => {
    const scope = scopeOf(id);
    const later = labelIds.slice(index + 1);
    return !later.includes(id) && (scope === undefined || !later.some((other) => scopeOf(other) === scope));
  });
}

function difference(before: readonly number[], after: readonly number[]) {
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  return added.length + removed.length > 0 ? { added, removed } : undefined;
}
