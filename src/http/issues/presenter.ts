import type { z } from 'zod';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import type { CommentRow } from '../../queries/issues/comments.js';
import type { IssueMilestone, IssueRow } from '../../queries/issues/issues.js';
import { labelsCarried, type IssueLabelRow } from '../../queries/issues/labels.js';
import type { LabelRow } from '../../queries/label-row.js';
import type { MilestoneRow } from '../../queries/issues/milestones.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { presentGhost, presentUsersWithIds } from '../accounts/presenter.js';
import { timeText } from '../answers/time-text.js';
import type { User } from '../accounts/schema.js';
import type { Caller } from '../caller.js';
import { presentLabelOf, type Label } from '../labels.js';
import type { PresenterServices } from '../services.js';
import type { Comment, Issue, Milestone } from './schema.js';

type PresentedUser = z.output<typeof User>;

/** The address of a repository, as its issues show it. */
type Place = Pick<RepositoryRow, 'id' | 'name'> & { readonly owner: Pick<AccountRow, 'name'> };

const fullName = ({ owner, name }: Place) => `${owner.name ?? ''}/${name}`;

/** Presents issues of one repository. */
export const presentIssues = (
  rows: readonly IssueRow[],
  repository: Place,
  caller: Caller,
  services: PresenterServices,
): Promise<z.output<typeof Issue>[]> =>
  presentIssuesOf(rows, new Map([[repository.id, repository]]), caller, services);

/** As `presentIssues`, for issues of several repositories; those of repositories not in the map are left out. */
export async function presentIssuesOf(
  rows: readonly IssueRow[],
  repositories: ReadonlyMap<number, Place>,
  caller: Caller,
  services: PresenterServices,
): Promise<z.output<typeof Issue>[]> {
  const [users, labelsOf] = await Promise.all([
    presentUsersWithIds(
      rows.flatMap(({ poster_id, assignee_ids }) => [poster_id, ...assignee_ids]),
      caller,
      services,
    ),
    labelsCarried(services.db, rows),
  ]);
  const { baseUrl } = services.config;
  return rows.flatMap((row) => {
    const repository = repositories.get(row.repository_id);
    return repository ? [presentIssue(row, labelsOf(row), repository, users, baseUrl)] : [];
  });
}

function presentIssue(
  row: IssueRow,
  labels: readonly IssueLabelRow[],
  repository: Place,
  users: ReadonlyMap<number, PresentedUser>,
  baseUrl: string,
): z.output<typeof Issue> {
  const place = fullName(repository);
  const assignees = row.assignee_ids.flatMap((id) => users.get(id) ?? []);
  return {
    id: row.id,
    url: `${baseUrl}/api/v1/repos/${place}/issues/${row.number}`,
    html_url: `${baseUrl}/${place}/issues/${row.number}`,
    number: row.number,
    user: users.get(row.poster_id) ?? presentGhost(baseUrl),
    original_author: '',
    original_author_id: 0,
    title: row.title,
    body: row.body,
    ref: row.ref,
    assets: [],
    labels: labels.map((label) => presentLabel(label, repository, baseUrl)),
    milestone: row.milestone && presentMilestone(row.milestone),
    assignee: assignees[0] ?? null,
    assignees,
    state: row.is_closed ? 'closed' : 'open',
    is_locked: false,
    comments: row.comments,
    created_at: timeText(row.created_at),
    updated_at: timeText(row.updated_at),
    closed_at: row.closed_at && timeText(row.closed_at),
    due_date: row.due_at && timeText(row.due_at),
    pull_request: null,
    repository: {
      id: repository.id,
      name: repository.name,
      owner: repository.owner.name ?? '',
      full_name: place,
    },
    pin_order: 0,
  };
}

/** Presents comments of one repository. */
export async function presentComments(
  rows: readonly CommentRow[],
  repository: Place,
  caller: Caller,
  services: PresenterServices,
): Promise<z.output<typeof Comment>[]> {
  const users = await presentUsersWithIds(
    rows.map(({ author_id }) => author_id),
    caller,
    services,
  );
  const { baseUrl } = services.config;
  return rows.map((row) => {
    const issue = `${baseUrl}/${fullName(repository)}/issues/${row.number}`;
    return {
      id: row.id,
      html_url: `${issue}#issuecomment-${row.id}`,
      pull_request_url: '',
      issue_url: issue,
      user: users.get(row.author_id) ?? presentGhost(baseUrl),
      original_author: '',
      original_author_id: 0,
      body: row.body,
      assets: [],
      created_at: timeText(row.created_at),
      updated_at: timeText(row.updated_at),
    };
  });
}

/** Presents a label of the repository, or of the organization that owns it. */
export const presentLabel = (
  row: LabelRow & Partial<Pick<IssueLabelRow, 'of_organization'>>,
  repository: Place,
  baseUrl: string,
): z.output<typeof Label> =>
  presentLabelOf(
    row.of_organization
      ? `${baseUrl}/api/v1/orgs/${repository.owner.name ?? ''}`
      : `${baseUrl}/api/v1/repos/${fullName(repository)}`,
    row,
  );

/** Presents a milestone. */
export const presentMilestone = (row: MilestoneRow | IssueMilestone): z.output<typeof Milestone> => ({
  id: row.id,
  title: row.title,
  description: row.description,
  state: row.is_closed ? 'closed' : 'open',
  open_issues: row.open_issues,
  closed_issues: row.closed_issues,
  created_at: timeText(new Date(row.created_at)),
  updated_at: timeText(new Date(row.updated_at)),
  closed_at: row.closed_at && timeText(new Date(row.closed_at)),
  due_on: row.due_at && timeText(new Date(row.due_at)),
});
