import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

export interface TagRow {
  readonly name: string;
  /** Of the commit, or of the tag object. */
  readonly hash: Hash;
}

/** Tags, those of the newest commits first, then by name. */
export const listTags = (
  db: Queryable,
  repositoryId: number,
  { limit, offset }: PageRequest,
): Promise<TagRow[]> =>
  db.rows<TagRow>(sql`
    select short_name as name, hash from refs
    where repository_id = ${repositoryId} and kind = 'tag'
    order by committed_at desc nulls last, short_name limit ${limit} offset ${offset}`);

export const countTags = (db: Queryable, repositoryId: number): Promise<number> =>
  count(
    db.rows(sql`select count(*) as count from refs where repository_id = ${repositoryId} and kind = 'tag'`),
  );

/** The tag of that exact name; undefined where there is none. */
export async function findTag(
  db: Queryable,
  repositoryId: number,
  name: string,
): Promise<TagRow | undefined> {
  const [row] = await db.rows<TagRow>(sql`
    select short_name as name, hash from refs
    where repository_id = ${repositoryId} and name = ${`refs/tags/${name}`}`);
  return row;
}

/** Every ref, by its full name, whose name begins so; `limit` of them. */
export const listRefs = (
  db: Queryable,
  repositoryId: number,
  prefix: string,
  limit: number,
): Promise<TagRow[]> =>
  db.rows<TagRow>(sql`
    select name, hash from refs
    where repository_id = ${repositoryId} and name >= ${prefix} and starts_with(name, ${prefix})
    order by name limit ${limit}`);
