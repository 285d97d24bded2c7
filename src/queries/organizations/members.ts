import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import type { AccountRow } from '../accounts/accounts.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** The members of an organization by name, or those whose membership everybody may see. */
export const listMembers = (
  db: Queryable,
  organizationId: number,
  onlyPublic: boolean,
  { limit, offset }: PageRequest,
): Promise<AccountRow[]> =>
  db.rows<AccountRow>(sql`
    select a.* from organization_members m
    join accounts a on a.id = m.account_id and a.valid_until = 9223372036854775807
    where m.organization_id = ${organizationId} and (m.is_public or not ${onlyPublic})
    order by a.lower_name limit ${limit} offset ${offset}`);

export const countMembers = (db: Queryable, organizationId: number, onlyPublic: boolean): Promise<number> =>
  count(
    db.rows(sql`
      select count(*) as count from organization_members m
      join accounts a on a.id = m.account_id and a.valid_until = 9223372036854775807
      where m.organization_id = ${organizationId} and (m.is_public or not ${onlyPublic})`),
  );

/** The membership of whoever has that name in an organization, both in any letter case; undefined for whoever is no member. */
export async function findMembership(
  db: Queryable,
  organization: string,
  name: string,
): Promise<{ readonly is_public: boolean } | undefined> {
  const [row] = await db.rows<{ is_public: boolean }>(sql`
    select m.is_public from accounts a
    join accounts o on o.lower_name = ${organization.toLowerCase()} and o.valid_until = 9223372036854775807
    join organization_members m on m.account_id = a.id and m.organization_id = o.id
    where a.lower_name = ${name.toLowerCase()} and a.valid_until = 9223372036854775807`);
  return row;
}
