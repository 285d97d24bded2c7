import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

export interface BranchRow {
  readonly name: string;
  /** Of the commit at its tip. */
  readonly hash: Hash;
}

/** A branch with what the commit cache holds of its tip; null where it holds nothing. */
export interface ListedBranchRow extends BranchRow {
  readonly facts: object | null;
}

/** Branches, newest tip first, then by name. */
export const listBranches = (
  db: Queryable,
  repositoryId: number,
  { limit, offset }: PageRequest,
): Promise<ListedBranchRow[]> =>
  db.rows<ListedBranchRow>(sql`
    select b.name, b.hash, (select facts from cache.commits where hash = decode(b.hash, 'hex')) as facts
    from (
      select short_name as name, hash, committed_at from refs
      where repository_id = ${repositoryId} and kind = 'branch'
      order by committed_at desc nulls last, short_name limit ${limit} offset ${offset}) b
    order by b.committed_at desc nulls last, b.name`);

export const countBranches = (db: Queryable, repositoryId: number): Promise<number> =>
  count(
    db.rows(sql`
      select count(*) as count from refs where repository_id = ${repositoryId} and kind = 'branch'`),
  );

/** The branch of that exact name; undefined where there is none. */
export async function findBranch(
  db: Queryable,
  repositoryId: number,
  name: string,
): Promise<BranchRow | undefined> {
  const [row] = await db.rows<BranchRow>(sql`
    select short_name as name, hash from refs
    where repository_id = ${repositoryId} and name = ${`refs/heads/${name}`}`);
  return row;
}

/** The teams of an organization that an account is in; none where the owner is no organization. */
export async function listTeamIdsIn(
  db: Queryable,
  organizationId: number,
  accountId: number,
): Promise<number[]> {
  const rows = await db.rows<{ team_id: number }>(sql`
    select team_id from team_members
    where organization_id = ${organizationId} and account_id = ${accountId} order by team_id`);
  return rows.map(({ team_id }) => team_id);
}

export interface NamedRefRow {
  readonly kind: 'branch' | 'tag';
  /** In full: `refs/heads/main`. */
  readonly name: string;
  readonly short_name: string;
  readonly hash: Hash;
}

/** The branch, else the tag, that has one of these names exactly; undefined where there is neither. */
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
