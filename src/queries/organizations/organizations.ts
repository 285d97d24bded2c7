import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import type { AccountRow } from '../accounts/accounts.js';
import { paged, type Paged, type PageRequest } from '../page.js';

/**
 * An organization, regardless of the viewer. `repo_admin_change_team_access` lets the administrators of a repository
 * decide which teams have it; otherwise only the organization's owners may.
 */
export interface OrganizationFacts extends AccountRow {
  readonly repo_admin_change_team_access: boolean;
}

/** An organization, and the viewer's rank in it. */
export interface OrganizationRow extends OrganizationFacts {
  /** The highest rank of the viewer's teams (see `rankOf`); null if the viewer is no member. */
  readonly viewer_rank: number | null;
}

/** The columns that determine whether the viewer may see an organization. */
export type OrganizationTie = Pick<OrganizationRow, 'visibility' | 'viewer_rank'>;

/** The SQL expression of `viewer_rank`. `organizationId` is the SQL expression of the organization's id. */
export const viewerRank = (organizationId: Fragment, viewerId: number | null): Fragment => fragment`(
  select max(g.level) from team_members m join grants g on g.principal_kind = 'team' and g.principal_id = m.team_id
    and g.object_kind = 'organization' and g.object_id = ${organizationId}
  where m.account_id = ${viewerId} and m.organization_id = ${organizationId})`;

/** The viewer of organizations. `id` is null for an anonymous one. */
export interface OrganizationViewer {
  readonly id: number | null;
  /** The visibilities of the organizations that the viewer may see. */
  readonly sees: readonly string[];
  /** Whether only organizations are shown that the viewer is a member of. */
  readonly onlyOwn: boolean;
}

/** Finds an organization by name, in any letter case; undefined if there is none. */
export async function findOrganization(
  db: Queryable,
  name: string,
  viewerId: number | null,
): Promise<OrganizationRow | undefined> {
  const [row] = await db.rows<OrganizationRow>(sql`
    select a.*, ${viewerRank(fragment`a.id`, viewerId)} as viewer_rank
    from accounts a
    where a.lower_name = ${accountNameKey(name)} and a.valid_until = ${still} and a.kind = 'organization'`);
  return row;
}

/** The condition that the viewer may see the organization `a`. */
const seenBy = ({ id, sees, onlyOwn }: OrganizationViewer) => fragment`
  a.visibility = any(${sees}::text[]) and (not ${onlyOwn} or exists (
    select from organization_members own where own.organization_id = a.id and own.account_id = ${id}))`;

/** Lists the organizations that the viewer may see, by name. */
export const listOrganizations = (
  db: Queryable,
  viewer: OrganizationViewer,
  part: PageRequest,
): Promise<Paged<OrganizationFacts>> =>
  paged(db, part, {
    columns: fragment`a.*`,
    from: fragment`
      from accounts a
      where a.kind = 'organization' and a.valid_until = ${still} and ${seenBy(viewer)}`,
    orderBy: fragment`a.lower_name`,
  });

/** The member whose organizations are listed, and the viewer. With `viewer.onlyOwn`, both must be members of them. */
export interface MembershipsAsked {
  readonly memberId: number;
  /** Whether concealed memberships are included. */
  readonly concealed: boolean;
  readonly viewer: OrganizationViewer;
}

/** Lists the organizations of a member, by name. */
export const listOrganizationsOf = (
  db: Queryable,
  { memberId, concealed, viewer }: MembershipsAsked,
  part: PageRequest,
): Promise<Paged<OrganizationFacts>> =>
  paged(db, part, {
    columns: fragment`a.*`,
    from: fragment`
      from organization_members m
      join accounts a on a.id = m.organization_id and a.valid_until = ${still}
      where m.account_id = ${memberId} and (m.is_public or ${concealed}) and ${seenBy(viewer)}`,
    orderBy: fragment`a.lower_name`,
  });

/** What a member may do in an organization by its teams. `rank` is null if the account is in no team. */
export interface Standing {
  readonly rank: number | null;
  readonly can_create_repositories: boolean;
}

/** Finds the highest rank of an account's teams in an organization, and whether one of them may create repositories. */
export async function findStanding(
  db: Queryable,
  organizationId: number,
  accountId: number,
): Promise<Standing> {
  const [row] = await db.rows<Standing>(sql`
    select max(g.level) as rank, coalesce(bool_or(t.can_create_repositories), false) as can_create_repositories
    from team_members m
    join teams t on t.organization_id = m.organization_id and t.id = m.team_id
    join grants g on g.principal_kind = 'team' and g.principal_id = m.team_id
      and g.object_kind = 'organization' and g.object_id = m.organization_id
    where m.organization_id = ${organizationId} and m.account_id = ${accountId}`);
  return row ?? { rank: null, can_create_repositories: false };
}
