import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { labelNameKey } from '../../domain/labels/label.js';
import { teamNameKey } from '../../domain/organizations/team.js';
import { knowsTeam } from '../organizations/teams.js';
import type { RepositoryViewer } from '../repositories/access.js';

/** Finds the ids of all labels with one of these names, in any letter case: those of repositories and of organizations. */
export async function findLabelIds(
  db: Queryable,
  names: readonly string[],
): Promise<{ readonly ofRepositories: readonly number[]; readonly ofOrganizations: readonly number[] }> {
  const lower = names.map(labelNameKey);
  const rows = await db.rows<{ id: number; of_organization: boolean }>(sql`
    select id, false as of_organization from labels where lower_name = any(${lower}::text[])
    union all
    select id, true from organization_labels where lower_name = any(${lower}::text[])`);
  const those = (ofOrganization: boolean) =>
    rows.filter((row) => row.of_organization === ofOrganization).map(({ id }) => id);
  return { ofRepositories: those(false), ofOrganizations: those(true) };
}

/**
 * Returns the condition that the team of this name has the organization's repository `r`. Undefined if there is no such
 * team or the viewer may not see it.
 */
export async function hadByTeam(
  db: Queryable,
  organizationId: number,
  name: string,
  viewer: RepositoryViewer,
): Promise<Fragment | undefined> {
  const [team] = await db.rows<{ id: number; includes_all_repositories: boolean }>(sql`
    select t.id, t.includes_all_repositories from teams t
    where t.organization_id = ${organizationId} and t.lower_name = ${teamNameKey(name)}
      and ${knowsTeam(viewer)}`);
  if (!team) return undefined;
  return team.includes_all_repositories
    ? fragment`true`
    : fragment`r.id in (select object_id from grants
        where principal_kind = 'team' and principal_id = ${team.id} and object_kind = 'repository')`;
}
