import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';

/** Where a default branch is; its languages are known once both hashes are the same. */
export interface HeadRow {
  /** Of the commit at the tip of the default branch. */
  readonly hash: Hash;
  /** The commit in which its languages were measured last; null where they were not. */
  readonly languages_of: Hash | null;
}

/** Where the default branch of a repository is; undefined where it has none. */
export async function findHead(db: Queryable, repositoryId: number): Promise<HeadRow | undefined> {
  const [row] = await db.rows<HeadRow>(sql`
    select f.hash, r.languages_of from repositories r
    join refs f on f.repository_id = r.id and f.name = 'refs/heads/' || r.default_branch
    where r.id = ${repositoryId}`);
  return row;
}
