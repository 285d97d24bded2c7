import type { DomainEvent } from '../../domain/domain-event.js';
import type { HookEventName } from '../../domain/hooks/hook-events.js';
import type { IssueEvent } from '../../domain/issues/issue-messages.js';
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

function actionsOf({ type, data }: IssueEvent): Action[] {
  switch (type) {
    case 'IssueOpened':
      return [{ name: 'opened' }];
    case 'IssueTitleChanged':
      return [{ name: 'edited', changes: { title: { from: data.before } } }];
    case 'IssueBodyChanged':
      return [{ name: 'edited', changes: { body: { from: data.before } } }];
    case 'IssueClosed':
      return [{ name: 'closed', ...(data.commitId !== undefined && { commitId: data.commitId }) }];
    case 'IssueReopened':
      return [{ name: 'reopened' }];
    case 'IssueAssigneesChanged': {
      const each = (name: string, ids: readonly number[]) =>
        ids.map((id) => ({ name, eventType: 'issue_assign' as const, key: `${name} ${id}` }));
      return [...each('unassigned', data.removed), ...each('assigned', data.added)];
    }
    case 'IssueLabelsChanged':
      return [{ name: data.cleared ? 'label_cleared' : 'label_updated', eventType: 'issue_label' }];
    case 'IssueMilestoneChanged':
      return [
        {
          name: data.milestoneId === null ? 'demilestoned' : 'milestoned',
          eventType: 'issue_milestone',
        },
      ];
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
        title: data.title,
        body: data.body,
        ref: data.ref,
        assignee_ids: data.assigneeIds,
        is_closed: false,
        closed_at: null,
        comments: 0,
      };
    case 'IssueTitleChanged':
      return { title: data.title };
    case 'IssueBodyChanged':
      return { body: data.body };
    case 'IssueClosed':
      return { is_closed: true, closed_at: new Date(data.closedAt) };
    case 'IssueReopened':
      return { is_closed: false, closed_at: null };
    case 'IssueAssigneesChanged':
      return { assignee_ids: data.assigneeIds };
    case 'IssueMilestoneChanged':
      return data.milestoneId === null ? { milestone: null } : {};
    case 'IssueLabelsChanged':
      return data.labelIds.length === 0 ? { labels: [] } : {};
    case 'IssueRefChanged':
    case 'IssueDeadlineChanged':
    case 'IssueCommented':
    case 'CommentEdited':
    case 'CommentDeleted':
    case 'IssueDeleted':
      return {};
  }
}
