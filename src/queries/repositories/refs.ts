import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { BRANCHES, TAGS } from '../../domain/repositories/refs.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';
import { totalIn } from '../count.js';
import { paged, type Paged, type PageRequest } from '../page.js';

/** A ref, by its full name or, in a list of one kind, by its short name. */
export interface RefRow {
  readonly name: string;
  /** The commit, or the object of an annotated tag. */
  readonly hash: Hash;
}

/** A branch, and the cached facts of its tip; null if the cache has none that were used today. */
export interface ListedBranchRow extends RefRow {
  readonly facts: object | null;
}

/**
 * Lists branches by their short names, newest tip first, then by name. Whether facts were used today is no condition: the
 * statistics of yesterday would make an index of days look like the best one.
 */
export function listBranches(
  db: Queryable,
  repositoryId: number,
  { limit, offset }: PageRequest,
): Promise<Paged<ListedBranchRow>> {
  const counted = fragment`select branches as total from branch_counts where repository_id = ${repositoryId}`;
  const rows = db.rows<ListedBranchRow & { readonly total: number }>(sql`
    select b.name, b.hash,
      (select case when used_on >= current_date then facts end
        from cache.commits where hash = decode(b.hash, 'hex')) as facts,
      (${counted}) as total
    from (
      select short_name as name, hash, committed_at from refs
      where repository_id = ${repositoryId} and kind = 'branch'
      order by committed_at desc nulls last, short_name limit ${limit} offset ${offset}) b
    order by b.committed_at desc nulls last, b.name`);
  const total = totalIn(rows, async () => {
    const [row] = await db.rows<{ readonly total: number }>(sql`${counted}`);
    return row?.total ?? 0;
  });
  return Promise.all([rows, total]);
}

/** Lists tags of commits, not of trees or files, by their short names: those of the newest commits first, then by name. */
export const listTags = (db: Queryable, repositoryId: number, part: PageRequest): Promise<Paged<RefRow>> =>
  paged(db, part, {
    columns: fragment`short_name as name, hash`,
    from: fragment`
      from refs where repository_id = ${repositoryId} and kind = 'tag' and committed_at is not null`,
    orderBy: fragment`committed_at desc nulls last, short_name`,
  });

/** Sorts after all others and is in no name: every name with a prefix sorts before the prefix followed by it. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Lists the refs whose full names begin with the prefix, by name; at most `limit` of them. */
export const listRefs = (
  db: Queryable,
  repositoryId: number,
  prefix: string,
  limit: number,
): Promise<RefRow[]> =>
  db.rows<RefRow>(sql`
    select name, hash from refs
    where repository_id = ${repositoryId} and name >= ${prefix} and name < ${prefix + LAST_CHARACTER}
    order by name limit ${limit}`);

/** A branch or tag with both of its names. */
export interface NamedRefRow {
  readonly kind: 'branch' | 'tag';
  /** The full name, such as `refs/heads/main`. */
  readonly name: string;
  readonly short_name: string;
  /** The commit, or the object of an annotated tag. */
  readonly hash: Hash;
  /** The commit that it leads to; null for a tag that leads to none or whose event does not say it. */
  readonly commit_hash: Hash | null;
}

/** Finds a branch or tag by its full name, such as `refs/heads/main`; undefined if there is none. */
export async function findRef(
  db: Queryable,
  repositoryId: number,
  name: string,
): Promise<NamedRefRow | undefined> {
  const [row] = await db.rows<NamedRefRow>(sql`
    select kind, name, short_name, hash, commit_hash from refs
    where repository_id = ${repositoryId} and name = ${name} and kind in ('branch', 'tag')`);
  return row;
}

/** Finds the branch or else the tag that has exactly this short name; undefined if there is neither. */
export const findBranchOrTag = (
  db: Queryable,
  repositoryId: number,
  name: string,
): Promise<NamedRefRow | undefined> => findFirstRef(db, repositoryId, [BRANCHES + name, TAGS + name]);

/** Finds the branch, else the tag, whose full name is among these, the longest one; undefined if there is neither. */
export async function findFirstRef(
  db: Queryable,
  repositoryId: number,
  names: readonly string[],
): Promise<NamedRefRow | undefined> {
  const [row] = await db.rows<NamedRefRow>(sql`
    select kind, name, short_name, hash, commit_hash from refs
    where repository_id = ${repositoryId} and name = any(${names}::text[]) and kind in ('branch', 'tag')
    order by kind, length(short_name) desc limit 1`);
  return row;
}

/** Returns those of these names that branches have. */
export async function branchesAmong(
  db: Queryable,
  repositoryId: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ readonly short_name: string }>(sql`
    select short_name from refs
    where repository_id = ${repositoryId} and name = any(${names.map((name) => BRANCHES + name)}::text[])`);
  return new Set(rows.map((row) => row.short_name));
}
