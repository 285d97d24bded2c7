import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import { accountColumns, type AccountRow } from '../accounts/accounts.js';
import { knownTo, type Knower } from '../accounts/ties.js';
import { count } from '../count.js';
import type { PageRequest } from '../page.js';

/** Which members of an organization are asked for, and who looks. */
export interface MembersAsked extends Knower {
  readonly organizationId: number;
  /** Memberships that not everybody may see, too. */
  readonly concealed: boolean;
}

const fromMembers = ({ organizationId, concealed, ...knower }: MembersAsked) => fragment`
  from organization_members m
  join accounts a on a.id = m.account_id and a.valid_until = 9223372036854775807
  where m.organization_id = ${organizationId} and (m.is_public or ${concealed})
    and ${knownTo(knower)}`;

/** The members of an organization that the viewer may know of, by name. */
export const listMembers = (
  db: Queryable,
  asked: MembersAsked,
  { limit, offset }: PageRequest,
): Promise<AccountRow[]> =>
  db.rows<AccountRow>(
    sql`select ${accountColumns} ${fromMembers(asked)} order by a.lower_name limit ${limit} offset ${offset}`,
  );

/** How many members the viewer may know of: those of `listMembers`, over all pages. */
export const countMembers = (db: Queryable, asked: MembersAsked): Promise<number> =>
  count(db.rows(sql`select count(*) as count ${fromMembers(asked)}`));

/** A membership, and whose. */
export interface MembershipRow extends Pick<AccountRow, 'id' | 'kind' | 'visibility'> {
  /** Everybody may see the membership. */
  readonly is_public: boolean;
}

/** The membership of whoever has that name in an organization, both in any letter case; undefined for whoever is no member. */
export async function findMembership(
  db: Queryable,
  organization: string,
  name: string,
): Promise<MembershipRow | undefined> {
  const [row] = await db.rows<MembershipRow>(sql`
    select a.id, a.kind, a.visibility, m.is_public from accounts a
    join accounts o on o.lower_name = ${accountNameKey(organization)} and o.valid_until = 9223372036854775807
    join organization_members m on m.account_id = a.id and m.organization_id = o.id
    where a.lower_name = ${accountNameKey(name)} and a.valid_until = 9223372036854775807`);
  return row;
}
