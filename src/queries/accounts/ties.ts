import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';

/** Whether two accounts share an organization, or one of them is an organization that the other is a member of. */
export async function haveTie(db: Queryable, one: number, other: number): Promise<boolean> {
  const rows = await db.rows(sql`
    select from organization_members where organization_id = ${one} and account_id = ${other}
    union all
    select from organization_members a join organization_members b using (organization_id)
    where a.account_id = ${one} and b.account_id = ${other}
    limit 1`);
  return rows.length > 0;
}
