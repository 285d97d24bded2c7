import { fragment, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import type { AccountRow } from '../accounts/accounts.js';

/** The viewer of repositories. `id` is null for an anonymous one. */
export interface RepositoryViewer {
  readonly id: number | null;
  /** Whether the viewer is a site administrator. */
  readonly isAdmin: boolean;
  readonly restricted: boolean;
  /** Whether the viewer sees only what is public, as with a token limited to that, whatever its account may do. */
  readonly narrow: boolean;
}

/** Returns the viewer that an account is by itself, with nothing that a token takes away. */
export const accountAsViewer = ({
  id,
  is_admin: isAdmin,
  restricted,
}: Pick<AccountRow, 'id' | 'is_admin' | 'restricted'>): RepositoryViewer => ({
  id,
  isAdmin,
  restricted,
  narrow: false,
});

/** What a viewer may do in a repository, as ranks from 0 (nothing) to 4 (ownership). */
export interface AccessColumns {
  readonly viewer_rank: number;
  /** The rank without that of teams, which have a level for each unit. */
  readonly viewer_own_rank: number;
  /** The rank for code. It is 0 if the repository has code switched off, except for the repository's administrators. */
  readonly viewer_code_rank: number;
  /** The levels of the units, for each of the viewer's teams that have the repository. */
  readonly viewer_team_units: readonly Readonly<Record<string, string>>[];
}

const levels = fragment`array['none', 'read', 'write', 'admin', 'owner']`;

/** The condition that the team `t` has the repository with this id, which must be of its organization. */
export const teamHas = (repositoryId: number | Fragment): Fragment => fragment`(
  t.includes_all_repositories or exists (
    select from grants g where g.principal_kind = 'team' and g.principal_id = t.id
      and g.object_kind = 'repository' and g.object_id = ${repositoryId}))`;

/** The lateral join that computes `AccessColumns` of the repository `r` with the owner `o`, by index look-ups per row. */
export const accessOf = ({ id, isAdmin, restricted }: RepositoryViewer): Fragment => fragment`
  cross join lateral (
    select max(rank) as viewer_rank,
      max(rank) filter (where units is null) as viewer_own_rank,
      case when max(rank) >= 3 or 'repo.code' = any(r.units) then max(code_rank) else 0 end as viewer_code_rank,
      coalesce(json_agg(units) filter (where units is not null), '[]') as viewer_team_units
    from (
      select level as rank, level as code_rank, null::jsonb as units
      from (select case when ${isAdmin} or r.owner_id = ${id} then 4
          when not r.is_private and not ${restricted} and (o.visibility = 'public'
            or (o.visibility = 'limited' and ${id}::int8 is not null)
            or exists (select from organization_members m
              where m.organization_id = r.owner_id and m.account_id = ${id})) then 1
          else 0 end as level) by_being
      union all
      select level, level, null from grants
      where principal_kind = 'account' and principal_id = ${id} and object_kind = 'repository' and object_id = r.id
      union all
      select case when t.permission in ('admin', 'owner') then 4 else array_position(${levels}, t.permission) - 1 end,
        coalesce(array_position(${levels}, t.units ->> 'repo.code') - 1, 0), t.units
      from team_members m join teams t on t.organization_id = m.organization_id and t.id = m.team_id
      where m.organization_id = r.owner_id and m.account_id = ${id} and ${teamHas(fragment`r.id`)}
    ) ways
  ) access`;

/**
 * The condition that the viewer may see the repository `r`. Equals `viewer_rank > 0`, but is made for lists of many
 * rows: a statement reads once what the viewer has access to, and looks each row up in that. With a unit, access by
 * teams alone only counts if they may read that unit.
 */
export const visibleTo = (
  { id, isAdmin, restricted, narrow }: RepositoryViewer,
  unit?: 'repo.code' | 'repo.issues',
): Fragment => fragment`
  (${isAdmin}
    or (not r.is_private and not ${restricted} and (
      r.owner_id not in (select id from accounts where valid_until = ${still}
        and visibility <> 'public' and (visibility = 'private' or ${id}::int8 is null))
      or r.owner_id in (select organization_id from organization_members where account_id = ${id})))
    or r.owner_id = ${id}
    or ${grantedTo(id, unit)})
  and (not ${narrow} or ${publicAlone})`;

/** The condition that an account has access to the repository `r` as a collaborator or by a team. */
const grantedTo = (id: number | null, unit?: string): Fragment => fragment`(
  r.id in (select object_id from grants
    where principal_kind = 'account' and principal_id = ${id} and object_kind = 'repository' and level > 0)
  or r.owner_id in (select t.organization_id from team_members m
    join teams t on t.organization_id = m.organization_id and t.id = m.team_id
    where m.account_id = ${id} and t.includes_all_repositories and ${letsIn(unit)})
  or (r.owner_id, r.id) in (select t.organization_id, g.object_id from team_members m
    join teams t on t.organization_id = m.organization_id and t.id = m.team_id
    join grants g on g.principal_kind = 'team' and g.principal_id = t.id and g.object_kind = 'repository'
    where m.account_id = ${id} and ${letsIn(unit)}))`;

/** The condition that the team `t` gives its members access to its repositories, or to one unit of them. */
const letsIn = (unit?: string): Fragment =>
  unit === undefined
    ? fragment`t.permission <> 'none'`
    : fragment`(t.permission in ('admin', 'owner') or coalesce(t.units ->> ${unit}, 'none') <> 'none')`;

/**
 * Selects the ids of the repositories that an account has access to without owning them: as a collaborator, by a team,
 * or because they are public in a private organization that it is in. Only reads few rows that do not match.
 */
export const contributionsOf = (id: number): Fragment => fragment`(
  with joined as materialized (
    select t.id, t.organization_id, t.includes_all_repositories from team_members m
    join teams t on t.organization_id = m.organization_id and t.id = m.team_id
    where m.account_id = ${id} and t.permission <> 'none'),
  granted as materialized (
    select g.object_id, t.organization_id from joined t
    join grants g on g.principal_kind = 'team' and g.principal_id = t.id and g.object_kind = 'repository'),
  hidden as materialized (
    select a.id from organization_members m
    join accounts a on a.id = m.organization_id and a.valid_until = ${still}
    where m.account_id = ${id} and a.visibility = 'private')
  select object_id from grants
  where principal_kind = 'account' and principal_id = ${id} and object_kind = 'repository' and level > 0
  union all
  select c.id from joined t join repositories c on c.owner_id = t.organization_id
  where t.includes_all_repositories
  union all
  select c.id from granted g join repositories c on c.id = g.object_id and c.owner_id = g.organization_id
  union all
  select c.id from hidden o join repositories c on c.owner_id = o.id
  where not c.is_private)`;

/** The condition that an account owns the repository `r`, or contributes to it; see `contributionsOf`. */
export const ownedOrContributedTo = (id: number): Fragment => fragment`r.id in (
  select id from repositories where owner_id = ${id} union all ${contributionsOf(id)})`;

/** The condition that the repository `r` and its owner are public. */
export const publicAlone = fragment`(not r.is_private and r.owner_id not in (
  select id from accounts where valid_until = ${still} and visibility <> 'public'))`;
