import type { DomainEvent } from '../../domain/domain-event.js';
import type { HookEventName } from '../../domain/hooks/hook-events.js';
import type { IssueEvent } from '../../domain/issues/issue-messages.js';
import { orErased } from '../../domain/erased.js';
import { issueOf } from '../../domain/issues/place.js';
import { presentIssues } from '../../http/issues/presenter.js';
import { findIssue, type IssueRow } from '../../queries/issues/issues.js';
import type { Occasion } from './occasion.js';
import type { Scene } from './scene.js';

/** What an action says besides the issue. */
interface Action {
  readonly name: string;
  /** `issues` unless given. */
  readonly eventType?: HookEventName;
  readonly key?: string;
  readonly changes?: object;
  readonly commitId?: string;
}

/** What happened to an issue, besides its comments. What is not told to hooks gives nothing. */
export const ofIssue = (event: DomainEvent<IssueEvent>, scene: Scene): Occasion[] =>
  actionsOf(event).map(({ name, eventType = 'issues', key = name, changes, commitId = '' }) => ({
    key,
    event: 'issues',
    eventType,
    body: async () => {
      const issue = await presentIssueOf(event, scene);
      return (
        issue && {
          action: name,
          number: issue.number,
          ...(changes && { changes }),
          issue,
          ...(await scene.common()),
          commit_id: commitId,
        }
      );
    },
  }));

/** The issue after the event; undefined where it is gone. */
export async function presentIssueOf(event: DomainEvent<IssueEvent>, { services, repository }: Scene) {
  const row = await findIssue(services.db, repository.id, issueOf(event.streamId).number);
  if (!row) return undefined;
  const [issue] = await presentIssues([{ ...row, ...factsOf(event) }], repository, undefined, services);
  return issue;
}

const labelUpdated: Action = { name: 'label_updated', eventType: 'issue_label' };
const milestoned: Action = { name: 'milestoned', eventType: 'issue_milestone' };

const eachAssignee = (name: string, ids: readonly number[]): Action[] =>
  ids.map((id) => ({ name, eventType: 'issue_assign', key: `${name} ${id}` }));

function actionsOf({ type, data }: IssueEvent): Action[] {
  switch (type) {
    case 'IssueOpened':
      return [
        { name: 'opened' },
        ...eachAssignee('assigned', data.assigneeIds),
        ...(data.labelIds.length > 0 ? [labelUpdated] : []),
        ...(data.milestoneId === null ? [] : [milestoned]),
      ];
    case 'IssueTitleChanged':
      return [{ name: 'edited', changes: { title: { from: orErased(data.before) } } }];
    case 'IssueBodyChanged':
      return [{ name: 'edited', changes: { body: { from: orErased(data.before) } } }];
    case 'IssueClosed':
      return [{ name: 'closed', ...(data.commitId !== undefined && { commitId: data.commitId }) }];
    case 'IssueReopened':
      return [{ name: 'reopened' }];
    case 'IssueAssigneesChanged':
      return [...eachAssignee('unassigned', data.removed), ...eachAssignee('assigned', data.added)];
    case 'IssueLabelsChanged':
      return [data.cleared ? { ...labelUpdated, name: 'label_cleared' } : labelUpdated];
    case 'IssueMilestoneChanged':
      return [data.milestoneId === null ? { ...milestoned, name: 'demilestoned' } : milestoned];
    case 'IssueRefChanged':
    case 'IssueDeadlineChanged':
    case 'IssueCommented':
    case 'CommentEdited':
    case 'CommentDeleted':
    case 'IssueDeleted':
      return [];
  }
}

/** What the event says of the issue itself, whatever came later. */
function factsOf({ type, data }: IssueEvent): Partial<IssueRow> {
  switch (type) {
    case 'IssueOpened':
      return {
        title: orErased(data.title),
        body: orErased(data.body),
        ref: data.ref,
        assignee_ids: data.assigneeIds,
        is_closed: false,
        closed_at: null,
        comments: 0,
      };
    case 'IssueTitleChanged':
      return { title: orErased(data.title) };
    case 'IssueBodyChanged':
      return { body: orErased(data.body) };
    case 'IssueClosed':
      return { is_closed: true, closed_at: new Date(data.closedAt) };
    case 'IssueReopened':
      return { is_closed: false, closed_at: null };
    case 'IssueAssigneesChanged':
      return { assignee_ids: data.assigneeIds };
    case 'IssueMilestoneChanged':
      return data.milestoneId === null ? { milestone: null } : {};
    case 'IssueLabelsChanged':
      return { label_ids: data.labelIds };
    case 'IssueRefChanged':
    case 'IssueDeadlineChanged':
    case 'IssueCommented':
    case 'CommentEdited':
    case 'CommentDeleted':
    case 'IssueDeleted':
      return {};
  }
}
