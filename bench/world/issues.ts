import { Issue } from '../../src/domain/issues/issue.js';
import type { IssueCommand } from '../../src/domain/issues/issue-messages.js';
import { issueKey } from '../../src/domain/issues/place.js';
import { KINDS, PRIORITIES, type Plan } from './plan.js';
import { after, told, type Story } from './story.js';
import { textOf } from './words.js';

/** So many in a row are closed, then so many are open: of each kind and priority as many are as are not. */
const CLOSED_IN_ROWS = KINDS.length * PRIORITIES.length;

/** The issues of one repository with their comments: a kind and a priority each, every second one closed. */
export function* issuesOf(plan: Plan): Generator<Story> {
  for (let number = 1; number <= plan.size.issues; number++) yield issue(plan, number);
}

function issue(plan: Plan, number: number): Story {
  const { ids, size, showcase } = plan;
  const poster = plan.user(number % size.users);
  const urgency = Math.floor(number / KINDS.length) % PRIORITIES.length;
  const facts = {
    title: textOf(number, 6),
    body: textOf(number + 1, 20),
    ref: '',
    assigneeIds: number % 4 === 0 ? [plan.reader.id] : [],
    milestoneId: null,
    dueAt: null,
  };
  const opening: IssueCommand = {
    type: 'OpenIssue',
    data: {
      issueId: ids.issue + number,
      posterId: poster.id,
      facts,
      labelIds: [ids.label + (number % KINDS.length), ids.label + KINDS.length + urgency],
      scopes: {},
      isClosed: false,
      at: after(number),
    },
  };
  const comments = Array.from({ length: size.commentsAnIssue }, (_, place): IssueCommand => {
    const comment = number * size.commentsAnIssue + place;
    const at = after(comment);
    const authorId = plan.user(comment % size.users).id;
    return {
      type: 'Comment',
      data: { commentId: ids.comment + comment, authorId, body: textOf(comment, 12), at },
    };
  });
  const at = after((number + 1) * size.commentsAnIssue);
  const closing: IssueCommand[] =
    Math.floor(number / CLOSED_IN_ROWS) % 2 === 0
      ? [{ type: 'EditIssue', data: { changes: { isClosed: true }, at } }]
      : [];
  return told(Issue, issueKey(showcase.issues, number), poster, [opening, ...comments, ...closing]);
}
