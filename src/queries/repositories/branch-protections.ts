import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import type { BranchProtection } from '../../domain/repositories/branch-protection.js';
import type { AccountRow } from '../accounts/accounts.js';
import { knownTo, type Knower } from '../accounts/ties.js';

/** Lists the branch protection rules of a repository, oldest first. */
export async function listBranchProtections(
  db: Queryable,
  repositoryId: number,
): Promise<BranchProtection[]> {
  const rows = await db.rows<{ rule: BranchProtection }>(sql`
    select rule from branch_protections where repository_id = ${repositoryId} order by position`);
  return rows.map(({ rule }) => rule);
}

/** Finds a rule by its name; undefined if there is none. */
export async function findBranchProtection(
  db: Queryable,
  repositoryId: number,
  ruleName: string,
): Promise<BranchProtection | undefined> {
  const [row] = await db.rows<{ rule: BranchProtection }>(sql`
    select rule from branch_protections where repository_id = ${repositoryId} and rule_name = ${ruleName}`);
  return row?.rule;
}

/** The lower-case name and the id of a user or team that a rule may list. */
export interface NamedIds {
  readonly id: number;
  readonly name: string;
}

/** Finds the users with these lower-case names. */
export const usersNamed = (db: Queryable, lowerNames: readonly string[]): Promise<AccountRow[]> =>
  db.rows<AccountRow>(sql`
    select * from accounts
    where lower_name = any(${lowerNames}::text[]) and valid_until = ${still} and kind = 'user'`);

/** Finds the teams of an organization with these lower-case names. */
export const teamsNamed = (
  db: Queryable,
  organizationId: number,
  lowerNames: readonly string[],
): Promise<NamedIds[]> =>
  db.rows<NamedIds>(sql`
    select id, lower_name as name from teams
    where organization_id = ${organizationId} and lower_name = any(${lowerNames}::text[])`);

/** Finds those of the users who exist and whom the viewer may see. */
export async function usersKnown(
  db: Queryable,
  userIds: readonly number[],
  knower: Knower,
): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.rows<{ id: number }>(sql`
    select a.id from accounts a
    where a.id = any(${userIds}::int8[]) and a.valid_until = ${still} and ${knownTo(knower)}`);
  return new Set(rows.map(({ id }) => id));
}

/** The ids of users, as far as a viewer may see them, and of teams of one organization. */
export interface Listed {
  readonly knower: Knower;
  readonly userIds: readonly number[];
  readonly organizationId: number;
  readonly teamIds: readonly number[];
}

/** Finds the names of those of the users and teams that exist, by id. */
export async function namesOf(
  db: Queryable,
  { knower, userIds, organizationId, teamIds }: Listed,
): Promise<{ readonly users: ReadonlyMap<number, string>; readonly teams: ReadonlyMap<number, string> }> {
  const [users, teams] = await Promise.all([
    db.rows<{ id: number; name: string | null }>(sql`
      select a.id, a.name from accounts a
      where a.id = any(${userIds}::int8[]) and a.valid_until = ${still} and ${knownTo(knower)}`),
    db.rows<NamedIds>(
      sql`select id, name from teams where organization_id = ${organizationId} and id = any(${teamIds}::int8[])`,
    ),
  ]);
  return {
    users: new Map(users.flatMap(({ id, name }) => (name === null ? [] : [[id, name]]))),
    teams: new Map(teams.map(({ id, name }) => [id, name])),
  };
}
