import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';
import { count, totalOf } from '../count.js';
import type { PageRequest } from '../page.js';

/** A ref, by its full name or, among those of its kind, by its short one. */
export interface RefRow {
  readonly name: string;
  /** Of the commit, or of the object of an annotated tag. */
  readonly hash: Hash;
}

/** A branch with what the commit cache holds of its tip; null where it holds nothing that was asked for today. */
export interface ListedBranchRow extends RefRow {
  readonly facts: object | null;
}

/** A page of branches by their short names, newest tip first, then by name, and how many there are in all. */
export function pageOfBranches(
  db: Queryable,
  repositoryId: number,
  { limit, offset }: PageRequest,
): readonly [rows: Promise<ListedBranchRow[]>, total: Promise<number>] {
  const all = fragment`select from refs where repository_id = ${repositoryId} and kind = 'branch'`;
  const rows = db.rows<ListedBranchRow & { readonly total: number }>(sql`
    select b.name, b.hash,
      (select facts from cache.commits where hash = decode(b.hash, 'hex') and used_on >= current_date) as facts,
      (select count(*) from (${all}) refs) as total
    from (
      select short_name as name, hash, committed_at from refs
      where repository_id = ${repositoryId} and kind = 'branch'
      order by committed_at desc nulls last, short_name limit ${limit} offset ${offset}) b
    order by b.committed_at desc nulls last, b.name`);
  return [rows, totalOf(db, rows, all)];
}

/** A tag may name a tree or a file, which is none here. */
const commitTagsOf = (repositoryId: number) => fragment`
  from refs where repository_id = ${repositoryId} and kind = 'tag' and committed_at is not null`;

/** Tags by their short names, those of the newest commits first, then by name. */
export const listTags = (
  db: Queryable,
  repositoryId: number,
  { limit, offset }: PageRequest,
): Promise<RefRow[]> =>
  db.rows<RefRow>(sql`
    select short_name as name, hash ${commitTagsOf(repositoryId)}
    order by committed_at desc nulls last, short_name limit ${limit} offset ${offset}`);

/** How many tags `listTags` has, over all pages. */
export const countTags = (db: Queryable, repositoryId: number): Promise<number> =>
  count(db, commitTagsOf(repositoryId));

/** Sorts after all others and stands in no name: names that begin with a prefix come before that prefix and this. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Every ref, by its full name, whose name begins so; `limit` of them. */
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

/** A branch or tag by both its names; `hash` is that of the commit, or of the object of an annotated tag. */
export interface NamedRefRow {
  readonly kind: 'branch' | 'tag';
  /** In full: `refs/heads/main`. */
  readonly name: string;
  readonly short_name: string;
  readonly hash: Hash;
}

/** The branch or tag of that full name, `refs/heads/main`; undefined where there is none. */
export async function findRef(
  db: Queryable,
  repositoryId: number,
  name: string,
): Promise<NamedRefRow | undefined> {
  const [row] = await db.rows<NamedRefRow>(sql`
    select kind, name, short_name, hash from refs
    where repository_id = ${repositoryId} and name = ${name} and kind in ('branch', 'tag')`);
  return row;
}

/** The branch, else the tag, that has one of these short names exactly; undefined where there is neither. */
export async function findBranchOrTag(
  db: Queryable,
  repositoryId: number,
  ...names: readonly string[]
): Promise<NamedRefRow | undefined> {
  const refs = names.flatMap((name) => [`refs/heads/${name}`, `refs/tags/${name}`]);
  const [row] = await db.rows<NamedRefRow>(sql`
    select kind, name, short_name, hash from refs
    where repository_id = ${repositoryId} and name = any(${refs}::text[])
    order by kind, length(short_name) desc limit 1`);
  return row;
}
