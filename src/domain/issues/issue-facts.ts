import { invalid } from '../errors.js';
import { idsChanged } from './ids-changed.js';
import type { IssueEvent, IssueFacts } from './issue-messages.js';
import { isLonger } from '../characters.js';

export const noFacts: IssueFacts = {
  title: '',
  body: '',
  ref: '',
  assigneeIds: [],
  milestoneId: null,
  dueAt: null,
};

/** In characters. */
const LONGEST_TITLE = 255;
/** In bytes of UTF-8. */
const MAX_BODY_BYTES = 262_144;

/** Returns the facts as they are recorded. Refuses a missing or too long title, and a body that is too long. */
export function checkedFacts(facts: IssueFacts): IssueFacts {
  const title = facts.title.trim();
  if (title === '') throw invalid('issue.title_missing', 'Title', 'Required');
  if (isLonger(title, LONGEST_TITLE))
    throw invalid('issue.title_long', 'Title', `must have ${LONGEST_TITLE} characters at most`);
  checkSize(facts.body);
  return { ...facts, title, assigneeIds: [...new Set(facts.assigneeIds)] };
}

/** Refuses a text of an issue or comment that is too long. */
export function checkSize(body: string): void {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw invalid('issue.body_large', 'Body', `must have ${MAX_BODY_BYTES} bytes at most`);
}

/** Returns an event for each fact that changes, in the order in which clients see them. */
export function factsChanged(
  before: IssueFacts,
  after: IssueFacts,
  { posterId, isClosed }: { readonly posterId: number; readonly isClosed: boolean },
  changedAt: string,
): IssueEvent[] {
  const { title, body, ref, dueAt, assigneeIds, milestoneId } = after;
  const assignees = idsChanged(before.assigneeIds, assigneeIds);
  const events: (IssueEvent | false)[] = [
    title !== before.title && {
      type: 'IssueTitleChanged',
      data: { posterId, title, before: before.title, changedAt },
    },
    body !== before.body && {
      type: 'IssueBodyChanged',
      data: { posterId, body, before: before.body, changedAt },
    },
    ref !== before.ref && { type: 'IssueRefChanged', data: { ref, before: before.ref, changedAt } },
    dueAt !== before.dueAt && {
      type: 'IssueDeadlineChanged',
      data: { dueAt, before: before.dueAt, changedAt },
    },
    assignees !== undefined && {
      type: 'IssueAssigneesChanged',
      data: { assigneeIds, ...assignees, changedAt },
    },
    milestoneId !== before.milestoneId && {
      type: 'IssueMilestoneChanged',
      data: { milestoneId, before: before.milestoneId, isClosed, changedAt },
    },
  ];
  return events.filter((event) => event !== false);
}
