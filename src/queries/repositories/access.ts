import { fragment, type Fragment } from '../../database/sql.js';
import { still } from '../moment.js';

/** Who looks at repositories; `id` is null for nobody. */
export interface RepositoryViewer {
  readonly id: number | null;
  /** A site administrator. */
  readonly isAdmin: boolean;
  readonly restricted: boolean;
  /** Sees only what is public, whatever it may do elsewhere. */
  readonly narrow: boolean;
}

/** What a viewer may do in a repository: ranks from 0, nothing, to 4, ownership. */
export interface AccessColumns {
  readonly viewer_rank: number;
  /** Without teams, which give each unit a level of its own. */
  readonly viewer_own_rank: number;
  /** On code; 0 where the repository has code switched off, except for its administrators. */
  readonly viewer_code_rank: number;
  /** Of the viewer's teams that have the repository, the level of each unit. */
  readonly viewer_team_units: readonly Readonly<Record<string, string>>[];
}

const levels = fragment`array['none', 'read', 'write', 'admin', 'owner']`;

/** `AccessColumns` of the repository `r` with the owner `o`, as a lateral join; index look-ups for each row. */
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
      where m.organization_id = r.owner_id and m.account_id = ${id} and (t.includes_all_repositories or exists (
        select from grants g where g.principal_kind = 'team' and g.principal_id = t.id
          and g.object_kind = 'repository' and g.object_id = r.id))
    ) ways
  ) access`;

/**
 * Whether the viewer sees the repository `r`: the same as `viewer_rank > 0`, set-based, for lists of many rows. What
 * the viewer has is read once for a statement, and each row is looked up in it. With a unit: and whether teams that alone
 * let the viewer in let it read that as well.
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

/** Whether an account was let into the repository `r`, by itself or by a team. */
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

/** Whether the team `t` lets its members into its repositories, or into one unit of them. */
const letsIn = (unit?: string): Fragment =>
  unit === undefined
    ? fragment`t.permission <> 'none'`
    : fragment`(t.permission in ('admin', 'owner') or coalesce(t.units ->> ${unit}, 'none') <> 'none')`;

/**
 * The ids of the repositories that an account has to do with without owning them: it was let
 * in, by itself or by a team, or they are public in a private organization that it is in. Few are looked at to find them.
 */
export const contributionsOf = (id: number): Fragment => fragment`
  select object_id from grants
  where principal_kind = 'account' and principal_id = ${id} and object_kind = 'repository' and level > 0
  union all
  select c.id from team_members m
  join teams t on t.organization_id = m.organization_id and t.id = m.team_id
  join repositories c on c.owner_id = t.organization_id
  where m.account_id = ${id} and t.includes_all_repositories and t.permission <> 'none'
  union all
  select c.id from team_members m
  join teams t on t.organization_id = m.organization_id and t.id = m.team_id
  join grants g on g.principal_kind = 'team' and g.principal_id = t.id and g.object_kind = 'repository'
  join repositories c on c.id = g.object_id and c.owner_id = t.organization_id
  where m.account_id = ${id} and t.permission <> 'none'
  union all
  select c.id from organization_members m
  join accounts a on a.id = m.organization_id and a.valid_until = ${still}
  join repositories c on c.owner_id = a.id
  where m.account_id = ${id} and a.visibility = 'private' and not c.is_private`;

/** Whether the repository `r` and its owner are public. */
export const publicAlone = fragment`(not r.is_private and r.owner_id not in (
  select id from accounts where valid_until = ${still} and visibility <> 'public'))`;
