import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import { accountColumns, type AccountRow } from '../accounts/accounts.js';
import { knownTo, type Knower } from '../accounts/ties.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { viewerRank, type OrganizationTie } from './organizations.js';

/** The members to list, and the viewer. */
export interface MembersAsked extends Knower {
  readonly organizationId: number;
  /** Whether concealed memberships are included. */
  readonly concealed: boolean;
}

/** Lists the members of an organization that the viewer may see, by name. */
export const listMembers = (
  db: Queryable,
  { organizationId, concealed, ...knower }: MembersAsked,
  part: PageRequest,
): Promise<Paged<AccountRow>> =>
  paged(db, part, {
    columns: accountColumns,
    from: fragment`
      from organization_members m
      join accounts a on a.id = m.account_id and a.valid_until = ${still}
      where m.organization_id = ${organizationId} and (m.is_public or ${concealed}) and ${knownTo(knower)}`,
    orderBy: fragment`a.lower_name`,
  });

/** A member of an organization. */
export interface MembershipRow extends Pick<AccountRow, 'id' | 'kind' | 'visibility'> {
  /** Whether everybody may see the membership. */
  readonly is_public: boolean;
}

/** An organization as one viewer sees it, and a membership in it; undefined if the account is no member. */
export interface MembershipMet {
  readonly organization: OrganizationTie;
  readonly membership: MembershipRow | undefined;
}

/** Finds an organization and one of its members by name, in any letter case; undefined if there is no organization. */
export async function findMembership(
  db: Queryable,
  organization: string,
  member: string,
  viewerId: number | null,
): Promise<MembershipMet | undefined> {
  type Member = Omit<MembershipRow, 'visibility'> & { readonly member_visibility: AccountRow['visibility'] };
  const [row] = await db.rows<OrganizationTie & (Member | { readonly id: null })>(sql`
    select o.visibility, ${viewerRank(fragment`o.id`, viewerId)} as viewer_rank,
      a.id, a.kind, a.visibility as member_visibility, m.is_public
    from accounts o
    left join (organization_members m join accounts a on a.id = m.account_id
        and a.lower_name = ${accountNameKey(member)} and a.valid_until = ${still})
      on m.organization_id = o.id
    where o.lower_name = ${accountNameKey(organization)} and o.valid_until = ${still}
      and o.kind = 'organization'`);
  if (!row) return undefined;
  if (row.id === null) return { organization: row, membership: undefined };
  const { id, kind, member_visibility: visibility, is_public } = row;
  return { organization: row, membership: { id, kind, visibility, is_public } };
}
