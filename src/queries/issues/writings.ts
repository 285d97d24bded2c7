import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';

/** The repository and index of an issue. */
export interface IssuePlace {
  readonly repositoryId: number;
  readonly number: number;
}

/** What an account wrote: the issues that it opened, and its comments on issues of others. */
export interface Writings {
  readonly issues: readonly IssuePlace[];
  readonly comments: readonly (IssuePlace & { readonly commentId: number })[];
}

/** Lists what an account wrote, as far as the read model shows it. */
export async function listWritings(db: Queryable, accountId: number): Promise<Writings> {
  const [issues, comments] = await Promise.all([
    db.rows<IssuePlace>(sql`
      select repository_id as "repositoryId", number from issues where poster_id = ${accountId}`),
    db.rows<Writings['comments'][number]>(sql`
      select c.repository_id as "repositoryId", c.number, c.id as "commentId" from issue_comments c
      join issues i on i.repository_id = c.repository_id and i.number = c.number
      where c.author_id = ${accountId} and i.poster_id <> ${accountId}`),
  ]);
  return { issues, comments };
}
