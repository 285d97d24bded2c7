import { z } from 'zod';
import { User } from '../accounts/schema.js';
import { Label } from '../labels.js';
import { PageQuery } from '../answers/paging.js';
import { RepositoryParams } from '../repositories/schema.js';
import {
  atMost,
  optional,
  pathId,
  queryBoolean,
  queryText,
  requiredText,
  shownTime,
  time,
} from '../schema.js';
import { timeRange } from './times.js';

const index = z
  .string()
  .regex(/^0*[1-9]\d{0,14}$/)
  .transform(Number)
  .meta({ type: 'integer' });

export const IssueParams = RepositoryParams.extend({ index });
/** The path of a label or comment of a repository, by its id. */
export const PartParams = RepositoryParams.extend({ id: pathId });
/** The path of a label or comment of an issue, by its id. */
export const IssuePartParams = IssueParams.extend({ id: pathId });

const text = z.string().optional();

export const IssuesQuery = PageQuery.extend({
  state: text,
  labels: text,
  q: text,
  type: text,
  milestones: text,
  created_by: queryText,
  assigned_by: queryText,
  mentioned_by: queryText,
  ...timeRange,
});

export const SearchQuery = PageQuery.extend({
  state: text,
  labels: text,
  milestones: text,
  q: text,
  type: text,
  owner: text,
  team: text,
  assigned: queryBoolean,
  created: queryBoolean,
  mentioned: queryBoolean,
  review_requested: queryBoolean,
  reviewed: queryBoolean,
  ...timeRange,
});

export const CommentsQuery = PageQuery.extend({ ...timeRange });

export const MilestonesQuery = PageQuery.extend({ state: text, name: text });

export const Milestone = z
  .object({
    id: z.int(),
    title: z.string(),
    description: z.string(),
    state: z.enum(['open', 'closed']),
    open_issues: z.int(),
    closed_issues: z.int(),
    created_at: shownTime,
    updated_at: shownTime.nullable(),
    closed_at: shownTime.nullable(),
    due_on: shownTime.nullable(),
  })
  .meta({ id: 'Milestone' });

export const Issue = z
  .object({
    id: z.int(),
    url: z.string(),
    html_url: z.string(),
    number: z.int(),
    user: User,
    original_author: z.string(),
    original_author_id: z.int(),
    title: z.string(),
    body: z.string(),
    ref: z.string(),
    assets: z.array(z.unknown()),
    labels: z.array(Label),
    milestone: Milestone.nullable(),
    assignee: User.nullable(),
    assignees: z.array(User),
    state: z.enum(['open', 'closed']),
    is_locked: z.boolean(),
    comments: z.int(),
    created_at: shownTime,
    updated_at: shownTime,
    closed_at: shownTime.nullable(),
    due_date: shownTime.nullable(),
    pull_request: z.null(),
    repository: z.object({ id: z.int(), name: z.string(), owner: z.string(), full_name: z.string() }),
    pin_order: z.int(),
  })
  .meta({ id: 'Issue' });

export const Comment = z
  .object({
    id: z.int(),
    html_url: z.string(),
    pull_request_url: z.string(),
    issue_url: z.string(),
    user: User,
    original_author: z.string(),
    original_author_id: z.int(),
    body: z.string(),
    assets: z.array(z.unknown()),
    created_at: shownTime,
    updated_at: shownTime,
  })
  .meta({ id: 'Comment' });

export const Deadline = z.object({ due_date: shownTime.nullable() }).meta({ id: 'IssueDeadline' });

const names = optional(z.array(z.string()).max(100));

/** A ref's name; the bound is longer than any name of a branch or a tag. */
const refName = atMost(1_024);

/** A milestone's description, which is bounded because each issue of the milestone includes it. */
const milestoneText = atMost(65_536);

export const CreateIssueBody = z
  .object({
    title: requiredText,
    body: optional(z.string()),
    ref: optional(refName),
    assignee: optional(z.string()),
    assignees: names,
    milestone: optional(z.int()),
    labels: optional(z.array(z.int()).max(1_000)),
    due_date: optional(time),
    closed: optional(z.boolean()),
  })
  .meta({ id: 'CreateIssueOption' });

/** Moves a time to the last second of its day, by its own offset. */
const endOfDay = time.transform((text) => text.replace(/T[\d:.]+/, 'T23:59:59')).pipe(time);

export const EditIssueBody = z
  .object({
    title: optional(z.string()),
    body: optional(z.string()),
    ref: optional(refName),
    state: optional(z.enum(['open', 'closed'], { error: 'must be open or closed' })),
    assignee: optional(z.string()),
    assignees: names,
    milestone: optional(z.int()),
    due_date: optional(endOfDay),
    unset_due_date: optional(z.boolean()),
    updated_at: optional(time),
  })
  .meta({ id: 'EditIssueOption' });

export const DeadlineBody = z.object({ due_date: optional(endOfDay) }).meta({ id: 'EditDeadlineOption' });

export const CommentBody = z
  .object({ body: requiredText, updated_at: optional(time) })
  .meta({ id: 'CreateIssueCommentOption' });

export const IssueLabelsBody = z
  .object({
    labels: optional(z.array(z.union([z.int(), z.string()])).max(1_000)),
    updated_at: optional(time),
  })
  .meta({ id: 'IssueLabelsOption' });

export const DateBody = z.object({ updated_at: optional(time) }).meta({ id: 'DeleteLabelsOption' });

export const CreateMilestoneBody = z
  .object({
    title: requiredText,
    description: optional(milestoneText),
    due_on: optional(time),
    state: optional(z.string()),
  })
  .meta({ id: 'CreateMilestoneOption' });

export const EditMilestoneBody = z
  .object({
    title: optional(z.string()),
    description: optional(milestoneText),
    due_on: time.nullish(),
    state: optional(z.enum(['open', 'closed'], { error: 'must be open or closed' })),
  })
  .meta({ id: 'EditMilestoneOption' });
