import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';

/** Lists the ids of the organizations that an account is a member of, of any visibility. */
export async function listOrganizationIdsOf(db: Queryable, accountId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select organization_id as id from organization_members where account_id = ${accountId} order by 1`);
  return rows.map(({ id }) => id);
}
