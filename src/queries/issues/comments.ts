import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

export interface CommentRow {
  readonly id: number;
  readonly repository_id: number;
  /** The index of its issue. */
  readonly number: number;
  readonly author_id: number;
  readonly body: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Which comments: of one issue, or of all of a repository; changed within a time, both ends included. */
export interface CommentFilter {
  readonly repositoryId: number;
  readonly number?: number | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

/** The oldest first. */
export const listComments = (
  db: Queryable,
  filter: CommentFilter,
  { limit, offset }: PageRequest,
): Promise<CommentRow[]> =>
  db.rows<CommentRow>(
    sql`select * from issue_comments c where ${chosen(filter)}
      order by c.id limit ${limit} offset ${offset}`,
  );

export const countComments = (db: Queryable, filter: CommentFilter): Promise<number> =>
  count(db.rows(sql`select count(*) as count from issue_comments c where ${chosen(filter)}`));

export async function findComment(
  db: Queryable,
  repositoryId: number,
  id: number,
): Promise<CommentRow | undefined> {
  const [row] = await db.rows<CommentRow>(
    sql`select * from issue_comments where id = ${id} and repository_id = ${repositoryId}`,
  );
  return row;
}

function chosen({ repositoryId, number, since, before }: CommentFilter): Fragment {
  const conditions: Fragment[] = [];
  if (number !== undefined) conditions.push(fragment`c.number = ${number}`);
  if (since) conditions.push(fragment`c.updated_at >= ${since}`);
  if (before) conditions.push(fragment`c.updated_at < ${before}::timestamptz + interval '1 second'`);
  return conditions.reduce(
    (all, condition) => fragment`${all} and ${condition}`,
    fragment`c.repository_id = ${repositoryId}`,
  );
}
