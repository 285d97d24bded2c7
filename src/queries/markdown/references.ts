import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { visibleTo, type RepositoryViewer } from '../repositories/access.js';

/** Those of these lower-case names that are accounts which the viewer sees without a tie to them. */
export async function findMentionable(
  db: Queryable,
  names: readonly string[],
  { id, isAdmin, restricted }: RepositoryViewer,
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db.rows<{ name: string }>(sql`
    select lower_name as name from accounts
    where lower_name = any(${names}::text[]) and valid_until = 9223372036854775807
      and (${isAdmin} or id = ${id} or (visibility = 'public' and not (kind = 'organization' and ${restricted}))
        or (visibility = 'limited' and ${id}::int8 is not null and not ${restricted}))`);
  return rows.map(({ name }) => name);
}

/** Those of these lower-case names that are teams of an organization whose teams the viewer may know of. */
export async function findMentionableTeams(
  db: Queryable,
  organization: string,
  names: readonly string[],
  { id, isAdmin, narrow }: RepositoryViewer,
): Promise<string[]> {
  if (names.length === 0 || narrow) return [];
  const rows = await db.rows<{ name: string }>(sql`
    select t.lower_name as name from teams t
    join accounts o on o.id = t.organization_id and o.valid_until = 9223372036854775807
    where o.lower_name = ${organization} and t.lower_name = any(${names}::text[])
      and (${isAdmin} or exists (select from organization_members m
        where m.organization_id = t.organization_id and m.account_id = ${id}))`);
  return rows.map(({ name }) => name);
}

/** Those of these lower-case `owner/name` that are repositories which the viewer sees, with their ids. */
export async function findReferable(
  db: Queryable,
  places: readonly string[],
  viewer: RepositoryViewer,
): Promise<ReadonlyMap<string, number>> {
  if (places.length === 0) return new Map();
  const owners = places.map((place) => place.split('/', 1)[0] ?? '');
  const names = places.map((place) => place.slice(place.indexOf('/') + 1));
  const rows = await db.rows<{ place: string; id: number }>(sql`
    select o.lower_name || '/' || r.lower_name as place, r.id
    from unnest(${owners}::text[], ${names}::text[]) wanted (owner, name)
    join accounts o on o.lower_name = wanted.owner and o.valid_until = 9223372036854775807
    join repositories r on r.owner_id = o.id and r.lower_name = wanted.name
    where ${visibleTo(viewer)}`);
  return new Map(rows.map(({ place, id }) => [place, id]));
}
