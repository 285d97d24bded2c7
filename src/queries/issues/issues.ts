import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { together } from '../../database/together.js';
import { issueKey, issueOf } from '../../domain/issues/place.js';
import { isThere } from '../count.js';
import type { MilestoneRow } from './milestones.js';

/** A milestone as `to_json` makes it: times are strings. */
export interface IssueMilestone {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly is_closed: boolean;
  readonly open_issues: number;
  readonly closed_issues: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly due_at: string | null;
}

/**
 * An issue with all that is shown with it. If the issue has none, `ref` is empty and other fields are null. `revision`
 * is the revision of its stream, from which the ETag is made. The poster's account may have been deleted.
 */
export interface IssueRow {
  readonly repository_id: number;
  /** The issue's index in the repository. */
  readonly number: number;
  readonly id: number;
  readonly poster_id: number;
  readonly title: string;
  readonly body: string;
  readonly ref: string;
  readonly milestone: IssueMilestone | MilestoneRow | null;
  readonly due_at: Date | null;
  readonly is_closed: boolean;
  readonly closed_at: Date | null;
  readonly comments: number;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** In the order of the assignment. */
  readonly assignee_ids: readonly number[];
  /** The ids of the labels that the issue carries; see `labelsCarried`. */
  readonly label_ids: readonly number[];
}

/** Adds the remaining columns of `IssueRow`, and the columns `more`, to rows of `issues`, which it names `i`. */
export const wholeIssues = (rows: Fragment, more = fragment``): Fragment => fragment`
  select i.*, t.title, t.body,
    (select coalesce(json_agg(c.label_id), '[]') from issue_labels c
      where c.repository_id = i.repository_id and c.number = i.number) as label_ids,
    (select coalesce(json_agg(a.account_id order by a.place), '[]') from issue_assignees a
      where a.repository_id = i.repository_id and a.number = i.number) as assignee_ids,
    (select to_json(m) from milestones m
      where m.repository_id = i.repository_id and m.id = i.milestone_id) as milestone ${more}
  from (${rows}) i join issue_texts t on t.repository_id = i.repository_id and t.number = i.number`;

/** Finds an issue by its number in the repository. The repository's id may be given as an SQL expression. */
export async function findIssue(
  db: Queryable,
  repositoryId: number | Fragment,
  number: number,
): Promise<IssueRow | undefined> {
  const rows = fragment`select * from issues where repository_id = ${repositoryId} and number = ${number}`;
  const [row] = await db.rows<IssueRow>(sql`${wholeIssues(rows)}`);
  return row;
}

/** Tells whether the repository has an issue with this number. */
export const isIssue = (db: Queryable, repositoryId: number, number: number): Promise<boolean> =>
  isThere(db, fragment`from issues where repository_id = ${repositoryId} and number = ${number}`);

/** Finds an issue by its key; undefined if there is none. Simultaneous calls share a query. */
export const findIssueByKey = together(async (db: Queryable, keys: readonly string[]) => {
  const places = keys.map(issueOf);
  const rows = fragment`select * from issues where (repository_id, number) in (select * from unnest(
    ${places.map(({ repository_id: id }) => id)}::int8[], ${places.map(({ number }) => number)}::int8[]))`;
  const found = await db.rows<IssueRow>(sql`${wholeIssues(rows)}`);
  return new Map(found.map((row) => [issueKey(row.repository_id, row.number), row]));
});

/** Returns the highest index ever given in the repository, as far as the read model knows; 0 if none was. */
export async function findLastIssueNumber(db: Queryable, repositoryId: number): Promise<number> {
  const [row] = await db.rows<{ last: number }>(
    sql`select last_number as last from issue_counts where repository_id = ${repositoryId}`,
  );
  return row?.last ?? 0;
}
