import type { IssueEvent } from '../../src/domain/issues/issue.js';
import { milestoneTitleKey, type MilestonesEvent } from '../../src/domain/issues/milestones.js';
import type { RepositoryLabelsEvent } from '../../src/domain/issues/repository-labels.js';
import type { EventMetadata } from '../../src/domain/metadata.js';
import { ERASED, orErased } from '../../src/domain/erased.js';
import { carrying, DELETED, ENDED } from '../../src/domain/issues/issue-sets.js';
import { issueOf } from '../../src/domain/issues/place.js';
import type { LabelFacts } from '../../src/domain/labels/label.js';
import type { OrganizationLabelsEvent } from '../../src/domain/organizations/organization-labels.js';
import type { RepositoryEvent } from '../../src/domain/repositories/repository-messages.js';
import { labelColumns } from '../label-columns.js';
import { projection, type Columns, type SetTable, type Table } from '../projection.js';

/**
 * `issues` with their texts, labels, assignees and comments, and the labels and milestones that a repository defines;
 * `issue_counts`: how many each repository has. A deleted issue, comment or label is subtracted from every count it was in.
 *
 * Texts have rows of their own: an issue changes with each comment, and an update of its words would index all of them
 * again for searches. `issue_sets` says of labels and states which issues have them, so that what several have in common
 * is found and counted fast; events do not tell what a deleted issue carried.
 */
export const issues = projection<
  IssueEvent | MilestonesEvent | RepositoryLabelsEvent | OrganizationLabelsEvent | RepositoryEvent
>()({
  name: 'issues',
  version: 8,
  tables: {
    issues: { key: ['repository_id', 'number'] },
    issue_texts: { key: ['repository_id', 'number'] },
    issue_labels: { key: ['repository_id', 'number', 'label_id'] },
    issue_sets: { key: ['repository_id', 'name', 'block'], sets: true },
    issue_assignees: { key: ['repository_id', 'number', 'account_id'] },
    issue_comments: { key: ['repository_id', 'number', 'id'] },
    issue_counts: { key: ['repository_id'] },
    labels: { key: ['repository_id', 'id'] },
    milestones: { key: ['repository_id', 'id'] },
  },
  erases: [
    { table: 'issue_texts', set: `title = '${ERASED}', body = '${ERASED}'`, where: 'poster_id = $1' },
    { table: 'issue_comments', set: `body = '${ERASED}'`, where: 'author_id = $1' },
  ],
  on: {
    RepositoryCreated: ({ streamId }, { issue_counts }) =>
      issue_counts.put({ repository_id: Number(streamId), last_number: 0, open: 0, closed: 0 }),
    RepositoryDeleted: ({ streamId }, tables) => {
      const part = { repository_id: Number(streamId) };
      for (const table of Object.values(tables)) table.removeWhere(part);
    },
    /** A repository that is still being created has labels and no more. */
    RepositoryAbandoned: ({ streamId }, { labels }) =>
      labels.removeWhere({ repository_id: Number(streamId) }),

    IssueOpened: ({ streamId, revision, data, metadata }, tables) => {
      const key = issueOf(streamId);
      tables.issues.put({
        id: data.issueId,
        poster_id: data.posterId,
        ref: data.ref,
        milestone_id: data.milestoneId,
        due_at: data.dueAt,
        is_closed: false,
        comments: 0,
        revision,
        created_at: data.openedAt,
        updated_at: data.openedAt,
        ...key,
      });
      tables.issue_texts.put({
        poster_id: data.posterId,
        title: orErased(data.title),
        body: orErased(data.body),
        ...key,
      });
      assign(tables.issue_assignees, key, data.assigneeIds);
      label(tables, key, data.labelIds);
      tables.issue_counts.add({ repository_id: key.repository_id }, { open: 1 });
      tables.issue_counts.patch({ repository_id: key.repository_id }, { last_number: key.number });
      count(tables.milestones, key, data.milestoneId, metadata, { open_issues: 1 });
    },
    IssueTitleChanged: ({ streamId, revision, data }, { issues: rows, issue_texts }) => {
      const key = issueOf(streamId);
      rows.patch(key, { revision, updated_at: data.changedAt });
      issue_texts.patch(key, { title: orErased(data.title) });
    },
    IssueBodyChanged: ({ streamId, revision, data }, { issues: rows, issue_texts }) => {
      const key = issueOf(streamId);
      rows.patch(key, { revision, updated_at: data.changedAt });
      issue_texts.patch(key, { body: orErased(data.body) });
    },
    IssueRefChanged: ({ streamId, revision, data }, { issues: rows }) =>
      rows.patch(issueOf(streamId), { ref: data.ref, revision, updated_at: data.changedAt }),
    IssueDeadlineChanged: ({ streamId, revision, data }, { issues: rows }) =>
      rows.patch(issueOf(streamId), { due_at: data.dueAt, revision, updated_at: data.changedAt }),
    IssueAssigneesChanged: ({ streamId, revision, data }, { issues: rows, issue_assignees }) => {
      const key = issueOf(streamId);
      rows.patch(key, { revision, updated_at: data.changedAt });
      for (const account_id of data.removed) issue_assignees.remove({ account_id, ...key });
      assign(issue_assignees, key, data.assigneeIds);
    },
    IssueMilestoneChanged: ({ streamId, revision, data, metadata }, { issues: rows, milestones }) => {
      const key = issueOf(streamId);
      const counter = data.isClosed ? 'closed_issues' : 'open_issues';
      rows.patch(key, { milestone_id: data.milestoneId, revision, updated_at: data.changedAt });
      count(milestones, key, data.before, metadata, { [counter]: -1 });
      count(milestones, key, data.milestoneId, metadata, { [counter]: 1 });
    },
    IssueLabelsChanged: ({ streamId, revision, data }, tables) => {
      const key = issueOf(streamId);
      tables.issues.patch(key, { revision, updated_at: data.changedAt });
      for (const label_id of data.removed) {
        tables.issue_labels.remove({ label_id, ...key });
        tables.issue_sets.exclude(setOf(key, carrying(label_id)), key.number);
      }
      label(tables, key, data.added);
    },
    IssueClosed: (event, { issues: rows, issue_sets, issue_counts, milestones }) => {
      const { streamId, revision, data, metadata } = event;
      const key = issueOf(streamId);
      const { closedAt: closed_at } = data;
      rows.patch(key, { is_closed: true, closed_at, revision, updated_at: closed_at });
      issue_sets.include(setOf(key, ENDED), key.number);
      issue_counts.add({ repository_id: key.repository_id }, { open: -1, closed: 1 });
      count(milestones, key, data.milestoneId, metadata, { open_issues: -1, closed_issues: 1 });
    },
    IssueReopened: (event, { issues: rows, issue_sets, issue_counts, milestones }) => {
      const { streamId, revision, data, metadata } = event;
      const key = issueOf(streamId);
      rows.patch(key, { is_closed: false, closed_at: null, revision, updated_at: data.reopenedAt });
      issue_sets.exclude(setOf(key, ENDED), key.number);
      issue_counts.add({ repository_id: key.repository_id }, { open: 1, closed: -1 });
      count(milestones, key, data.milestoneId, metadata, { open_issues: 1, closed_issues: -1 });
    },
    IssueCommented: ({ streamId, revision, data }, { issues: rows, issue_comments }) => {
      const key = issueOf(streamId);
      const { commentedAt: created_at } = data;
      rows.patch(key, { revision, updated_at: created_at });
      rows.add(key, { comments: 1 });
      issue_comments.put({
        id: data.commentId,
        author_id: data.authorId,
        body: orErased(data.body),
        created_at,
        updated_at: created_at,
        ...key,
      });
    },
    CommentEdited: ({ streamId, revision, data }, { issues: rows, issue_comments }) => {
      rows.patch(issueOf(streamId), { revision });
      issue_comments.patch(
        { id: data.commentId, ...issueOf(streamId) },
        { body: orErased(data.body), updated_at: data.editedAt },
      );
    },
    CommentDeleted: ({ streamId, revision, data }, { issues: rows, issue_comments }) => {
      rows.patch(issueOf(streamId), { revision });
      rows.add(issueOf(streamId), { comments: -1 });
      issue_comments.remove({ id: data.commentId, ...issueOf(streamId) });
    },
    IssueDeleted: ({ streamId, data, metadata }, tables) => {
      const key = issueOf(streamId);
      const { wasClosed, milestoneId } = data;
      tables.issues.remove(key);
      tables.issue_texts.remove(key);
      for (const table of [tables.issue_labels, tables.issue_assignees, tables.issue_comments])
        table.removeWhere(key);
      for (const name of [ENDED, DELETED]) tables.issue_sets.include(setOf(key, name), key.number);
      tables.issue_counts.add({ repository_id: key.repository_id }, { [wasClosed ? 'closed' : 'open']: -1 });
      const counter = wasClosed ? 'closed_issues' : 'open_issues';
      count(tables.milestones, key, milestoneId, metadata, { [counter]: -1 });
    },

    LabelCreated: ({ streamId, data }, { labels }) => labels.put(labelRow(streamId, data.labelId, data)),
    LabelEdited: ({ streamId, data }, { labels }) => labels.put(labelRow(streamId, data.labelId, data)),
    LabelDeleted: ({ streamId, data }, tables) => {
      tables.labels.remove({ repository_id: Number(streamId), id: data.labelId });
      unlabel(tables, data.labelId);
    },
    OrganizationLabelDeleted: ({ data }, tables) => unlabel(tables, data.labelId),

    MilestoneCreated: ({ streamId, data }, { milestones }) =>
      milestones.put({
        repository_id: Number(streamId),
        id: data.milestoneId,
        ...milestoneColumns(data),
        closed_at: data.isClosed ? data.createdAt : null,
        open_issues: 0,
        closed_issues: 0,
        created_at: data.createdAt,
        updated_at: data.createdAt,
      }),
    MilestoneEdited: ({ streamId, data }, { milestones }) =>
      milestones.patch(
        { repository_id: Number(streamId), id: data.milestoneId },
        {
          updated_at: data.editedAt,
          ...milestoneColumns(data),
          ...(data.isClosed !== data.before.isClosed && { closed_at: data.isClosed ? data.editedAt : null }),
        },
      ),
    MilestoneDeleted: ({ streamId, data }, { milestones }) =>
      milestones.remove({ repository_id: Number(streamId), id: data.milestoneId }),
  },
});

type Key = ReturnType<typeof issueOf>;

const setOf = ({ repository_id }: Key, name: string): Columns => ({ repository_id, name });

interface Labelled {
  readonly issue_labels: Table;
  readonly issue_sets: SetTable;
}

function label({ issue_labels, issue_sets }: Labelled, key: Key, labelIds: readonly number[]): void {
  for (const label_id of labelIds) {
    issue_labels.put({ label_id, ...key });
    issue_sets.include(setOf(key, carrying(label_id)), key.number);
  }
}

/** Takes a label off every issue of every repository, because an organization's label is used in many repositories. */
function unlabel({ issue_labels, issue_sets }: Labelled, label_id: number): void {
  issue_labels.removeWhere({ label_id });
  issue_sets.removeWhere({ name: carrying(label_id) });
}

function assign(rows: Table, key: Key, accountIds: readonly number[]): void {
  for (const [place, account_id] of accountIds.entries()) rows.put({ account_id, place, ...key });
}

/**
 * Changes a milestone's issue counts, which also counts as an update of the milestone: at the time of the request, because
 * an issue may be given an earlier one. Does nothing if `id` is null.
 */
function count(
  milestones: Table,
  { repository_id }: Key,
  id: number | null,
  { at: updated_at }: EventMetadata,
  amounts: Readonly<Record<string, number>>,
): void {
  if (id === null) return;
  milestones.patch({ repository_id, id }, { updated_at });
  milestones.add({ repository_id, id }, amounts);
}

const labelRow = (streamId: string, id: number, facts: LabelFacts): Columns => ({
  repository_id: Number(streamId),
  id,
  ...labelColumns(facts),
});

const milestoneColumns = (facts: {
  readonly title: string;
  readonly description: string;
  readonly isClosed: boolean;
  readonly dueAt: string | null;
}): Columns => ({
  title: facts.title,
  lower_title: milestoneTitleKey(facts.title),
  description: facts.description,
  is_closed: facts.isClosed,
  due_at: facts.dueAt,
});
