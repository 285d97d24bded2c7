import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { count, isThere } from '../count.js';

/** How many repositories an account owns. */
export const countOwnedRepositories = (db: Queryable, ownerId: number): Promise<number> =>
  count(db, fragment`from repositories where owner_id = ${ownerId}`);

/** Whether a team with every repository of the organization makes the account their administrator. */
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

/** The repositories that are, or may come to be, an account's. */
export async function listClaimedRepositoryIds(db: Queryable, ownerId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select repository_id as id from repository_claims where owner_id = ${ownerId}
    union select id from repositories where owner_id = ${ownerId} order by id`);
  return rows.map(({ id }) => id);
}

/** The repositories of an account that have forks. */
export async function listBaseIds(db: Queryable, ownerId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from repositories r where owner_id = ${ownerId} and exists (
      select from repositories f where f.base_id = r.id) order by id`);
  return rows.map(({ id }) => id);
}

/** The forks of a repository, those of its forks not among them. */
export async function listForkIds(db: Queryable, repositoryId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from repositories where base_id = ${repositoryId} order by id`);
  return rows.map(({ id }) => id);
}
