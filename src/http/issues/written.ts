import type { z } from 'zod';
import type { DataOf } from '../../domain/decider.js';
import { badRequest } from '../../domain/errors.js';
import type { IssueCommand, IssueFacts } from '../../domain/issues/issue-messages.js';
import { defined } from '../../values/defined.js';
import { assigneesNamed, milestoneWithId, type Assigning } from './references.js';
import type { CreateIssueBody, EditIssueBody } from './schema.js';
import { instant } from './times.js';

/** Who writes an issue, where, and whether as a writer of the repository's issues. */
type Writing = Assigning & { readonly isWriter: boolean };

/** Returns what a body says of a new issue. Fields that only writers may set are ignored from others. */
export async function factsIn(
  body: z.output<typeof CreateIssueBody>,
  { isWriter, ...assigning }: Writing,
): Promise<IssueFacts> {
  const { parent, db } = assigning;
  // Clients that split an option which was not given, as Gitea's tea does, send one empty name.
  const names = namesIn(body)?.filter((name) => name !== '') ?? [];
  return {
    title: body.title,
    body: body.body ?? '',
    ref: body.ref ?? '',
    assigneeIds: isWriter ? await assigneesNamed(assigning, names) : [],
    milestoneId: isWriter ? await milestoneWithId(db, parent.repository.id, body.milestone ?? 0) : null,
    dueAt: isWriter && body.due_date !== undefined ? instant(body.due_date) : null,
  };
}

/** Returns the changes that a body asks for. Fields that only writers may set are ignored from others. */
export async function changesIn(
  body: z.output<typeof EditIssueBody>,
  { isWriter, ...assigning }: Writing,
): Promise<DataOf<IssueCommand, 'EditIssue'>['changes']> {
  const { parent, db } = assigning;
  const { ref, state, milestone, due_date: due, unset_due_date: unset } = body;
  if (isWriter && unset === false && due === undefined)
    throw badRequest('issue.unset_due_date', 'unset_due_date is false and there is no due_date');
  const names = isWriter ? namesIn(body) : undefined;
  const dueAt = unset ? null : due && instant(due);
  return defined({
    title: titleIn(body),
    body: body.body,
    ref,
    isClosed: state && state === 'closed',
    dueAt: isWriter ? dueAt : undefined,
    assigneeIds: names && (await assigneesNamed(assigning, names)),
    milestoneId:
      isWriter && milestone !== undefined
        ? await milestoneWithId(db, parent.repository.id, milestone)
        : undefined,
  });
}

/** Merges the two fields for assignees; undefined if both are absent. */
function namesIn(body: Pick<z.output<typeof EditIssueBody>, 'assignee' | 'assignees'>): string[] | undefined {
  const { assignee, assignees } = body;
  if (assignee === undefined && assignees === undefined) return undefined;
  return [...(assignees ?? []), ...(assignee ? [assignee] : [])];
}

/** Returns the new title. Go clients send an empty one with every other change, so it counts only on its own. */
function titleIn({ title, ...others }: z.output<typeof EditIssueBody>): string | undefined {
  const saysMore = Object.values(others).some((value) => value !== undefined);
  return title === '' && saysMore ? undefined : title;
}
