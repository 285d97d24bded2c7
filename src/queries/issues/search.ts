import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';

/** The ids of all labels, of repositories and organizations, that bear one of these names in any letter case. */
export async function findLabelIds(db: Queryable, names: readonly string[]): Promise<number[]> {
  const lower = names.map((name) => name.toLowerCase());
  const rows = await db.rows<{ id: number }>(sql`
    select id from labels where lower_name = any(${lower}::text[])
    union all
    select id from organization_labels where lower_name = any(${lower}::text[])`);
  return rows.map(({ id }) => id);
}

/** A condition on `repositories r`: that the team has it. Undefined where the organization has no such team. */
export async function reposOfTeam(
  db: Queryable,
  organizationId: number,
  name: string,
): Promise<Fragment | undefined> {
  const [team] = await db.rows<{ id: number; includes_all_repositories: boolean }>(sql`
    select id, includes_all_repositories from teams
    where organization_id = ${organizationId} and lower(name) = ${name.toLowerCase()}`);
  if (!team) return undefined;
  return team.includes_all_repositories
    ? fragment`true`
    : fragment`r.id in (select object_id from grants
        where principal_kind = 'team' and principal_id = ${team.id} and object_kind = 'repository')`;
}
