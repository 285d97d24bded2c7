import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import type { AccountRow } from '../accounts/accounts.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** Whom a repository was opened to by name, by name. */
export const listCollaborators = (
  db: Queryable,
  repositoryId: number,
  { limit, offset }: PageRequest,
): Promise<AccountRow[]> =>
  db.rows<AccountRow>(sql`
    select a.* from grants g
    join accounts a on a.id = g.principal_id and a.valid_until = 9223372036854775807
    where g.object_kind = 'repository' and g.object_id = ${repositoryId} and g.principal_kind = 'account'
    order by a.lower_name limit ${limit} offset ${offset}`);

export const countCollaborators = (db: Queryable, repositoryId: number): Promise<number> =>
  count(
    db.rows(sql`
      select count(*) as count from grants g
      join accounts a on a.id = g.principal_id and a.valid_until = 9223372036854775807
      where g.object_kind = 'repository' and g.object_id = ${repositoryId} and g.principal_kind = 'account'`),
  );

/** Whether whoever has that name in any letter case is a collaborator. */
export async function isCollaborator(db: Queryable, repositoryId: number, name: string): Promise<boolean> {
  const rows = await db.rows(sql`
    select from grants g
    join accounts a on a.id = g.principal_id and a.valid_until = 9223372036854775807
    where g.object_kind = 'repository' and g.object_id = ${repositoryId} and g.principal_kind = 'account'
      and a.lower_name = ${name.toLowerCase()}`);
  return rows.length > 0;
}

/** Whoever work in the repository may be assigned to, by name: its owner, and all users who may write there. */
export const listAssignees = (
  db: Queryable,
  { id, owner_id }: { readonly id: number; readonly owner_id: number },
): Promise<AccountRow[]> =>
  db.rows<AccountRow>(sql`
    select a.* from accounts a
    where a.valid_until = 9223372036854775807 and a.kind = 'user' and a.id in (
      select ${owner_id}::int8
      union all
      select principal_id from grants
      where object_kind = 'repository' and object_id = ${id} and principal_kind = 'account' and level >= 2
      union all
      select m.account_id from teams t
      join team_members m on m.organization_id = t.organization_id and m.team_id = t.id
      where t.organization_id = ${owner_id}
        and (t.includes_all_repositories or exists (
          select from grants g where g.principal_kind = 'team' and g.principal_id = t.id
            and g.object_kind = 'repository' and g.object_id = ${id}))
        and array[t.units ->> 'repo.code', t.units ->> 'repo.issues', t.units ->> 'repo.pulls']
          && array['write', 'admin', 'owner'])
    order by a.lower_name`);
