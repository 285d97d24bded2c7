import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';

/** The tip of a default branch. If both hashes are equal, its languages are known. */
export interface HeadRow {
  /** The commit at the tip of the default branch. */
  readonly hash: Hash;
  /** The commit whose languages were measured last; null if none was. */
  readonly languages_of: Hash | null;
}

/** Finds the tip of the default branch of a repository; undefined if the branch does not exist. */
export async function findHead(db: Queryable, repositoryId: number): Promise<HeadRow | undefined> {
  const [row] = await db.rows<HeadRow>(sql`
    select f.hash, r.languages_of from repositories r
    join refs f on f.repository_id = r.id and f.name = 'refs/heads/' || r.default_branch
    where r.id = ${repositoryId}`);
  return row;
}
