import type { DomainEvent } from '../../domain/domain-event.js';
import type { IssueEvent } from '../../domain/issues/issue-messages.js';
import { Issue } from '../../domain/issues/issue.js';
import { issueOf } from '../../domain/issues/place.js';
import { findIssue, type IssueRow } from '../../queries/issues/issues.js';
import type { PayloadServices } from './services.js';

type Services = Pick<PayloadServices, 'db' | 'log'>;

/**
 * Finds the issue of an event in the read model or, if it was deleted, rebuilds it from the log as the event left it; then
 * it has no milestone.
 */
export async function findIssueEver(
  services: Services,
  event: DomainEvent<IssueEvent>,
): Promise<IssueRow | undefined> {
  const { repository_id, number } = issueOf(event.streamId);
  return (await findIssue(services.db, repository_id, number)) ?? (await fromLog(services, event));
}

const PAGE = 200;

async function fromLog({ log }: Services, until: DomainEvent<IssueEvent>): Promise<IssueRow | undefined> {
  let state = Issue.initialState;
  let [created, closed] = ['', ''];
  for (let from = 0; from <= until.revision; from += PAGE) {
    const max = Math.min(PAGE, until.revision - from + 1);
    const page = (await log.readStream(until.stream, { from, max })) as readonly DomainEvent<IssueEvent>[];
    for (const event of page) {
      state = Issue.evolve(state, event);
      if (event.type === 'IssueOpened') created = event.data.openedAt;
      if (event.type === 'IssueClosed') closed = event.data.closedAt;
    }
    if (page.length < max) return undefined;
  }
  const { title, body, ref, assigneeIds, dueAt } = state.facts;
  return {
    ...issueOf(until.streamId),
    id: state.issueId,
    poster_id: state.posterId,
    title,
    body,
    ref,
    milestone: null,
    due_at: dueAt === null ? null : new Date(dueAt),
    is_closed: state.isClosed,
    closed_at: state.isClosed ? new Date(closed) : null,
    comments: state.comments.byId.size,
    revision: until.revision,
    created_at: new Date(created),
    updated_at: until.recordedAt,
    assignee_ids: assigneeIds,
    label_ids: [...state.labelIds],
  };
}
