import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { still } from '../../database/still.js';

/** Lists the ids of an owner's repositories in which an account is assigned to issues. */
export async function listRepositoriesAssigned(
  db: Queryable,
  ownerId: number,
  accountId: number,
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select r.id from repositories r where r.owner_id = ${ownerId} and r.id in (
      select repository_id from issue_assignees where account_id = ${accountId}) order by r.id`);
  return rows.map(({ id }) => id);
}

/** Lists the ids of the accounts that exist and are assigned to issues in an owner's repositories. */
export async function listAccountsAssigned(db: Queryable, ownerId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select distinct i.account_id as id from issue_assignees i
    join repositories r on r.id = i.repository_id
    join accounts a on a.id = i.account_id and a.valid_until = ${still}
    where r.owner_id = ${ownerId} order by 1`);
  return rows.map(({ id }) => id);
}

/** Lists the ids of the accounts that exist and are assigned to issues of a repository. */
export async function listAccountsAssignedIn(db: Queryable, repositoryId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select distinct i.account_id as id from issue_assignees i
    join accounts a on a.id = i.account_id and a.valid_until = ${still}
    where i.repository_id = ${repositoryId} order by 1`);
  return rows.map(({ id }) => id);
}

/** Lists the numbers of a repository's issues that an account is assigned to, in ascending order. */
export async function listNumbersAssigned(
  db: Queryable,
  repositoryId: number,
  accountId: number,
): Promise<number[]> {
  const rows = await db.rows<{ number: number }>(sql`
    select number from issue_assignees where repository_id = ${repositoryId} and account_id = ${accountId} order by number`);
  return rows.map(({ number }) => number);
}
