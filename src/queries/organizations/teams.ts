import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { accountNameKey } from '../../domain/accounts/names.js';
import type { AccessLevel, Units } from '../../domain/organizations/team-access.js';
import type { AccountRow } from '../accounts/accounts.js';
import { knownTo, type Knower } from '../accounts/ties.js';
import { allOf, where } from '../conditions.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { oneSigmaIn } from '../sigma.js';
import type { RepositoryViewer } from '../repositories/access.js';
import { viewerRank, type OrganizationFacts, type OrganizationRow } from './organizations.js';

/** A team of an organization, and what it may do in its repositories. It has no access to absent units. */
export interface TeamRow {
  readonly organization_id: number;
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly permission: AccessLevel;
  readonly units: Units;
  readonly includes_all_repositories: boolean;
  readonly can_create_repositories: boolean;
}

/** A team as one viewer sees it. */
export interface TeamMet {
  readonly team: TeamRow;
  readonly organization: OrganizationRow;
  readonly isMember: boolean;
}

/** Finds a team by id; undefined if there is none or its organization no longer exists. */
export async function findTeam(
  db: Queryable,
  teamId: number,
  viewerId: number | null,
): Promise<TeamMet | undefined> {
  const [row] = await db.rows<OrganizationRow & { team: TeamRow; is_team_member: boolean }>(sql`
    select a.*, to_json(t) as team, ${viewerRank(fragment`a.id`, viewerId)} as viewer_rank, exists (
      select from team_members m where m.team_id = t.id and m.account_id = ${viewerId}) as is_team_member
    from teams t join accounts a on a.id = t.organization_id and a.valid_until = ${still}
    where t.id = ${teamId}`);
  if (!row) return undefined;
  const { team, is_team_member, ...organization } = row;
  return { team, organization, isMember: is_team_member };
}

/** Lists the teams of an organization by name. */
export const listTeams = (
  db: Queryable,
  organizationId: number,
  part: PageRequest,
): Promise<Paged<TeamRow>> =>
  paged(db, part, {
    columns: fragment`*`,
    from: fragment`from teams where organization_id = ${organizationId}`,
    orderBy: fragment`lower_name`,
  });

/** The condition that the viewer may know of the team `t`, as members of its organization may. */
export const knowsTeam = ({ id, isAdmin }: Pick<RepositoryViewer, 'id' | 'isAdmin'>): Fragment => fragment`(
  ${isAdmin} or exists (select from organization_members m
    where m.organization_id = t.organization_id and m.account_id = ${id}))`;

/** Finds those of the teams that exist and that the viewer may know of, by id. */
export async function findTeamsById(
  db: Queryable,
  ids: readonly number[],
  viewer: RepositoryViewer,
): Promise<ReadonlyMap<number, TeamRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<TeamRow>(
    sql`select t.* from teams t where t.id = any(${ids}::int8[]) and ${knowsTeam(viewer)}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A search among the teams of an organization. */
export interface TeamSearch {
  readonly organizationId: number;
  /** A part of the name, in any letter case; empty for all teams. */
  readonly text: string;
  /** Whether the text may be in the description instead. */
  readonly inDescription: boolean;
  /** Restricts the search to the teams of this account; null for all. */
  readonly memberId: number | null;
}

const found = ({ organizationId, text, inDescription, memberId }: TeamSearch) =>
  allOf(
    fragment`t.organization_id = ${organizationId}`,
    // PostgreSQL lowers both: it differs from JavaScript in letters such as the Σ at the end of a word.
    fragment`(position(${text.toLowerCase()} in t.lower_name) > 0
      or (${inDescription} and strpos(
        ${oneSigmaIn(fragment`lower(t.description)`, text)}, ${oneSigmaIn(fragment`lower(${text}::text)`, text)}) > 0))`,
    where(
      memberId,
      (id) => fragment`exists (select from team_members m where m.team_id = t.id and m.account_id = ${id})`,
    ),
  );

/** Lists the teams that a search finds, by name. */
export const searchTeams = (db: Queryable, search: TeamSearch, part: PageRequest): Promise<Paged<TeamRow>> =>
  paged(db, part, {
    columns: fragment`t.*`,
    from: fragment`from teams t where ${found(search)}`,
    orderBy: fragment`t.lower_name`,
  });

/** Lists the teams of an account in organizations of these visibilities, by organization and name. */
export async function listTeamsOf(
  db: Queryable,
  accountId: number,
  visibilities: readonly string[],
  part: PageRequest,
): Promise<Paged<{ readonly team: TeamRow; readonly organization: OrganizationFacts }>> {
  const [rows, total] = await paged<OrganizationFacts & { team: TeamRow }>(db, part, {
    columns: fragment`a.*, to_json(t) as team`,
    from: fragment`
      from team_members m
      join teams t on t.id = m.team_id
      join accounts a on a.id = t.organization_id and a.valid_until = ${still}
      where m.account_id = ${accountId} and a.visibility = any(${visibilities}::text[])`,
    orderBy: fragment`a.lower_name, t.lower_name`,
  });
  return [rows.map(({ team, ...organization }) => ({ team, organization })), total];
}

/** The team whose members are listed, and the viewer. */
export interface TeamMembersAsked {
  readonly teamId: number;
  readonly knower: Knower;
}

const fromTeamMembers = ({ teamId, knower }: TeamMembersAsked) => fragment`
  from team_members m
  join accounts a on a.id = m.account_id and a.valid_until = ${still}
  where m.team_id = ${teamId} and ${knownTo(knower)}`;

/** Lists the members of a team that the viewer may see, by full name, then by name. */
export const listTeamMembers = (
  db: Queryable,
  asked: TeamMembersAsked,
  part: PageRequest,
): Promise<Paged<AccountRow>> =>
  paged(db, part, {
    columns: fragment`a.*`,
    from: fromTeamMembers(asked),
    orderBy: fragment`lower(a.full_name), a.lower_name`,
  });

/** Lists the ids of the team's members who are assigned to issues of the organization's repositories. */
export async function listTeamAssignees(
  db: Queryable,
  { teamId, organizationId }: { readonly teamId: number; readonly organizationId: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select m.account_id as id from team_members m
    where m.organization_id = ${organizationId} and m.team_id = ${teamId} and exists (
      select from issue_assignees i join repositories r on r.id = i.repository_id
      where i.account_id = m.account_id and r.owner_id = ${organizationId})
    order by m.account_id`);
  return rows.map(({ id }) => id);
}

/** Finds a member of the team that the viewer may see, by name in any letter case. */
export async function findTeamMember(
  db: Queryable,
  asked: TeamMembersAsked,
  name: string,
): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    select a.* ${fromTeamMembers(asked)} and a.lower_name = ${accountNameKey(name)}`);
  return row;
}

/** Lists the ids of an organization's teams that an account is in; empty if the owner is no organization. */
export async function listTeamIdsIn(
  db: Queryable,
  organizationId: number,
  accountId: number,
): Promise<number[]> {
  const rows = await db.rows<{ team_id: number }>(sql`
    select team_id from team_members
    where organization_id = ${organizationId} and account_id = ${accountId} order by team_id`);
  return rows.map(({ team_id }) => team_id);
}
