import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { allOf, upToSecondOf, where } from '../conditions.js';
import { count, totalOf } from '../count.js';
import type { Paged, PageRequest } from '../page.js';

/** A comment on an issue, with its text as written. The author's account may have been deleted. */
export interface CommentRow {
  readonly id: number;
  readonly repository_id: number;
  /** The index of the issue. */
  readonly number: number;
  readonly author_id: number;
  readonly body: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The comments to list: of one issue or of a whole repository, last changed from `since` to `before`, inclusive. */
export interface CommentFilter {
  readonly repositoryId: number;
  readonly number?: number | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

/** A page of comments. It ends before `limit` once the bytes of text in it reach `maxBytes`. */
export interface CommentPage extends PageRequest {
  readonly maxBytes?: number;
}

/** Ids do not tell the order, because each API process assigns ids from a block of its own. */
const oldestFirst = fragment`created_at, id`;

/** Lists comments, oldest first. */
export async function listComments(
  db: Queryable,
  filter: CommentFilter,
  { limit, offset, maxBytes }: CommentPage,
): Promise<Paged<CommentRow>> {
  if (isEverything(filter))
    return Promise.all([
      db.rows<CommentRow>(
        sql`select * from issue_comments c where ${chosen(filter)} order by ${oldestFirst} limit ${limit} offset ${offset}`,
      ),
      count(db, fragment`from issue_comments c where ${chosen(filter)}`),
    ]);
  // One query finds and counts. With a limit the planner would search from the oldest on, not for the rare ones.
  const found = fragment`select c.id, c.created_at from issue_comments c where ${chosen(filter)}`;
  const page = fragment`
    select c.*, (select count(*) from found) as total from issue_comments c
    where c.repository_id = ${filter.repositoryId}
      and c.id = any(array(select id from found order by ${oldestFirst} limit ${limit} offset ${offset}))`;
  const rows = db.rows<CommentRow & { readonly total: number }>(sql`
    with found as materialized (${found})
    ${maxBytes === undefined ? page : upTo(page, maxBytes)} order by ${oldestFirst}`);
  return Promise.all([rows, totalOf(db, rows, found)]);
}

const upTo = (page: Fragment, maxBytes: number): Fragment => fragment`
  select c.* from (
    select c.*, sum(octet_length(c.body)) over (order by ${oldestFirst}) - octet_length(c.body) as bytes_before
    from (${page}) c) c
  where c.bytes_before < ${maxBytes}`;

const isEverything = ({ number, since, before }: CommentFilter): boolean =>
  number === undefined && since === undefined && before === undefined;

/** Finds a comment by its id, in this repository only, with the revision of its issue. */
export async function findComment(
  db: Queryable,
  repositoryId: number,
  id: number,
): Promise<(CommentRow & { readonly issue_revision: number }) | undefined> {
  const [row] = await db.rows<CommentRow & { readonly issue_revision: number }>(sql`
    select c.*, i.revision as issue_revision
    from issue_comments c join issues i on i.repository_id = c.repository_id and i.number = c.number
    where c.id = ${id} and c.repository_id = ${repositoryId}`);
  return row;
}

const chosen = ({ repositoryId, number, since, before }: CommentFilter): Fragment =>
  allOf(
    fragment`c.repository_id = ${repositoryId}`,
    where(number, (asked) => fragment`c.number = ${asked}`),
    where(since, (first) => fragment`c.updated_at >= ${first}`),
    where(before, (last) => upToSecondOf(fragment`c.updated_at`, last)),
  );
