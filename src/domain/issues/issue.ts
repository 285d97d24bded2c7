import { OrderedSet } from 'immutable';
import type { DataOf, Decider } from '../decider.js';
import { orErased } from '../erased.js';
import { conflict, DomainError, notFound } from '../errors.js';
import { decideComments, evolveComments, noComments, type Comments } from './issue-comments.js';
import { checkedFacts, factsChanged, noFacts } from './issue-facts.js';
import { decideLabels, firstLabels } from './issue-labels.js';
import type { IssueCommand, IssueEvent, IssueFacts, Remaining } from './issue-messages.js';

export type { IssueEvent } from './issue-messages.js';

/** The state that decisions on an issue rest on. Texts of erased people are placeholders. */
export interface IssueState {
  readonly status: 'absent' | 'exists' | 'deleted';
  /** The revision of the stream, which `ETag`s name. */
  readonly revision: number;
  readonly issueId: number;
  readonly posterId: number;
  readonly facts: IssueFacts;
  readonly labelIds: OrderedSet<number>;
  readonly isClosed: boolean;
  readonly comments: Comments;
}

/** What an issue takes in memory beside its texts, about. */
const BYTES_BESIDE_TEXTS = 4_096;

/**
 * An issue with its comments. Its stream is named after the repository and the index, so that opening it claims the
 * index. Facts, labels and comments are decided in files of their own.
 */
export const Issue: Decider<IssueCommand, IssueEvent, IssueState> = {
  category: 'issue',
  bytesOf: ({ facts, comments }) => BYTES_BESIDE_TEXTS + facts.body.length + comments.bytes,
  initialState: {
    status: 'absent',
    revision: -1,
    issueId: 0,
    posterId: 0,
    facts: noFacts,
    labelIds: OrderedSet(),
    isClosed: false,
    comments: noComments,
  },

  evolve(before, event) {
    return evolve({ ...before, revision: before.revision + 1 }, event);
  },

  decide(command, state) {
    const { data } = command;
    if (command.type === 'OpenIssue') return open(command.data, state);
    if (state.status !== 'exists') throw notFound('issue.absent', 'the issue does not exist');
    if ('ifRevisions' in data && !data.ifRevisions.includes(state.revision))
      throw new DomainError('precondition', 'issue.changed', 'the issue was changed by somebody else');
    return decideExisting(command, 'remaining' in data ? withoutGone(state, data.remaining) : state);
  },
};

/** Leaves out what is gone, unless the issue has changed since that was looked up. */
function withoutGone(state: IssueState, { revision, ...left }: Remaining): IssueState {
  if (revision !== state.revision) return state;
  const { milestoneId } = left;
  const assigneeIds = state.facts.assigneeIds.filter((id) => left.assigneeIds.includes(id));
  const labelIds = state.labelIds.filter((id) => left.labelIds.includes(id));
  return { ...state, labelIds, facts: { ...state.facts, milestoneId, assigneeIds } };
}

function evolve(state: IssueState, event: IssueEvent): IssueState {
  const { type, data } = event;
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
    case 'IssueCommented':
    case 'CommentEdited':
    case 'CommentDeleted':
      return { ...state, comments: evolveComments(state.comments, event) };
    case 'IssueDeleted':
      return { ...state, status: 'deleted', comments: noComments };
  }
}

/** The code of the refusal to open an issue under an index that another one has. */
export const INDEX_TAKEN = 'issue.index_taken';

function open(data: DataOf<IssueCommand, 'OpenIssue'>, { status }: IssueState): readonly IssueEvent[] {
  if (status !== 'absent') throw conflict(INDEX_TAKEN, 'the index is taken');
  const { issueId, posterId, facts, labelIds, scopes, isClosed, at } = data;
  const opened: IssueEvent = {
    type: 'IssueOpened',
    data: {
      issueId,
      posterId,
      ...checkedFacts(facts),
      labelIds: firstLabels(labelIds, scopes),
      openedAt: at,
    },
  };
  return isClosed
    ? [opened, { type: 'IssueClosed', data: { milestoneId: facts.milestoneId, closedAt: at } }]
    : [opened];
}

/** Decides the commands that require an existing issue. */
function decideExisting(
  command: Exclude<IssueCommand, { type: 'OpenIssue' }>,
  state: IssueState,
): readonly IssueEvent[] {
  const { milestoneId, assigneeIds } = state.facts;
  switch (command.type) {
    case 'EditIssue':
      return edit(command.data, state);
    case 'UnassignIssue': {
      const { accountId, at } = command.data;
      return edit({ changes: { assigneeIds: assigneeIds.filter((id) => id !== accountId) }, at }, state);
    }
    case 'CloseIssueByCommit': {
      const { commitId, closes, at } = command.data;
      if (closes === state.isClosed) return [];
      return closes
        ? [{ type: 'IssueClosed', data: { milestoneId, commitId, closedAt: at } }]
        : [{ type: 'IssueReopened', data: { milestoneId, commitId, reopenedAt: at } }];
    }
    case 'AddIssueLabels':
    case 'ReplaceIssueLabels':
    case 'ClearIssueLabels':
    case 'RemoveIssueLabel':
      return decideLabels(command, state.labelIds);
    case 'Comment':
    case 'EditComment':
    case 'DeleteComment':
      return decideComments(command, state.comments);
    case 'DeleteIssue': {
      const { issueId, isClosed: wasClosed } = state;
      return [
        { type: 'IssueDeleted', data: { issueId, wasClosed, milestoneId, deletedAt: command.data.at } },
      ];
    }
  }
}

/** Returns the events of all changes, or refuses all of them. The issue is closed or reopened last. */
function edit(
  {
    changes: { isClosed, ...changes },
    at,
  }: Omit<DataOf<IssueCommand, 'EditIssue'>, 'ifRevisions' | 'remaining'>,
  state: IssueState,
): readonly IssueEvent[] {
  const after = checkedFacts({ ...state.facts, ...changes });
  const events = factsChanged(state.facts, after, state, at);
  const { milestoneId } = after;
  if (isClosed === true && !state.isClosed)
    events.push({ type: 'IssueClosed', data: { milestoneId, closedAt: at } });
  if (isClosed === false && state.isClosed)
    events.push({ type: 'IssueReopened', data: { milestoneId, reopenedAt: at } });
  return events;
}
