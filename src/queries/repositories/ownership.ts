import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { count, isThere } from '../count.js';

/** Counts the repositories that an account owns. */
export const countOwnedRepositories = (db: Queryable, ownerId: number): Promise<number> =>
  count(db, fragment`from repositories where owner_id = ${ownerId}`);

/** Tells whether a team that has all repositories of the organization makes the account their administrator. */
export const administersEveryRepository = (
  db: Queryable,
  organizationId: number,
  accountId: number,
): Promise<boolean> =>
  isThere(
    db,
    fragment`from team_members m join teams t on t.organization_id = m.organization_id and t.id = m.team_id
    where m.organization_id = ${organizationId} and m.account_id = ${accountId}
      and t.includes_all_repositories and t.permission in ('admin', 'owner') limit 1`,
  );

/** Lists the ids of the repositories that an account owns or may come to own. */
export async function listClaimedRepositoryIds(db: Queryable, ownerId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select repository_id as id from repository_claims where owner_id = ${ownerId}
    union select id from repositories where owner_id = ${ownerId} order by id`);
  return rows.map(({ id }) => id);
}

/** Lists the ids of an account's repositories that have forks. */
export async function listBaseIds(db: Queryable, ownerId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from repositories r where owner_id = ${ownerId} and exists (
      select from repositories f where f.base_id = r.id) order by id`);
  return rows.map(({ id }) => id);
}

/** Lists the ids of the direct forks of a repository. */
export async function listForkIds(db: Queryable, repositoryId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from repositories where base_id = ${repositoryId} order by id`);
  return rows.map(({ id }) => id);
}
