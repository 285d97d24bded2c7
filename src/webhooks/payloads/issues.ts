import type { DomainEvent } from '../../domain/domain-event.js';
import type { HookEventName } from '../../domain/hooks/hook-events.js';
import type { IssueEvent } from '../../domain/issues/issue-messages.js';
import { orErased } from '../../domain/erased.js';
import { presentIssues } from '../../http/issues/presenter.js';
import type { IssueRow } from '../../queries/issues/issues.js';
import { findMilestoneById } from '../../queries/issues/milestones.js';
import { findIssueEver } from './issue-ever.js';
import type { Occasion } from './occasion.js';
import type { Scene } from './scene.js';

/** An action of a payload, and what it says besides the issue. */
interface Action {
  readonly name: string;
  /** `issues` unless given. */
  readonly eventType?: HookEventName;
  readonly key?: string;
  readonly changes?: object;
  readonly commitId?: string;
}

/** Returns the occasions of an event about an issue itself; none for events that hooks are not told of. */
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

/** Presents the issue with what the event says of it; undefined if it cannot be found any more. */
export async function presentIssueOf(event: DomainEvent<IssueEvent>, { services, repository }: Scene) {
  const row = await findIssueEver(services, event);
  if (!row) return undefined;
  const told = { ...row, ...factsOf(event), ...(await milestoneOf(event, { services, repository })) };
  const [issue] = await presentIssues([told], repository, undefined, services);
  return issue;
}

/** Returns the milestone that the event gives the issue, or null if that was deleted; nothing for other events. */
async function milestoneOf(
  { type, data }: DomainEvent<IssueEvent>,
  { services, repository }: Pick<Scene, 'services' | 'repository'>,
): Promise<Partial<IssueRow>> {
  if (type !== 'IssueOpened' && type !== 'IssueMilestoneChanged') return {};
  const { milestoneId } = data;
  if (milestoneId === null) return { milestone: null };
  return { milestone: (await findMilestoneById(services.db, repository.id, milestoneId)) ?? null };
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

/** Returns what the event says about the issue, to override later changes. */
function factsOf({ type, data }: IssueEvent): Partial<IssueRow> {
  switch (type) {
    case 'IssueOpened':
      return {
        title: orErased(data.title),
        body: orErased(data.body),
        ref: data.ref,
        due_at: data.dueAt === null ? null : new Date(data.dueAt),
        assignee_ids: data.assigneeIds,
        label_ids: data.labelIds,
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
    case 'IssueLabelsChanged':
      return { label_ids: data.labelIds };
    case 'IssueMilestoneChanged': // see milestoneOf
    case 'IssueRefChanged':
    case 'IssueDeadlineChanged':
    case 'IssueCommented':
    case 'CommentEdited':
    case 'CommentDeleted':
    case 'IssueDeleted':
      return {};
  }
}
