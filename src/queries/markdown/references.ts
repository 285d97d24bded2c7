import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { tied } from '../accounts/ties.js';
import { knowsTeam } from '../organizations/teams.js';
import { visibleTo, type RepositoryViewer } from '../repositories/access.js';

/** Finds which lower-case names are accounts that the viewer may see, for which a shared organization is enough. */
export async function findMentionable(
  db: Queryable,
  names: readonly string[],
  { id, isAdmin, restricted, narrow }: RepositoryViewer,
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db.rows<{ name: string }>(sql`
    select a.lower_name as name from accounts a
    where a.lower_name = any(${names}::text[]) and a.valid_until = ${still}
      and (a.visibility = 'public' or not ${narrow})
      and (${isAdmin} or a.id = ${id} or (a.visibility = 'public' and not (a.kind = 'organization' and ${restricted}))
        or (a.visibility = 'limited' and ${id}::int8 is not null and not ${restricted})
        or ${tied(fragment`a.id`, id)})`);
  return rows.map(({ name }) => name);
}

/** Finds which of the lower-case names are teams of an organization, if the viewer may see its teams. */
export async function findMentionableTeams(
  db: Queryable,
  organization: string,
  names: readonly string[],
  viewer: RepositoryViewer,
): Promise<string[]> {
  if (names.length === 0 || viewer.narrow) return [];
  const rows = await db.rows<{ name: string }>(sql`
    select t.lower_name as name from teams t
    join accounts o on o.id = t.organization_id and o.valid_until = ${still}
    where o.lower_name = ${organization} and t.lower_name = any(${names}::text[])
      and ${knowsTeam(viewer)}`);
  return rows.map(({ name }) => name);
}

/** A repository that texts can refer to. */
export interface Referable {
  readonly id: number;
  /** Whether the reader of code may know which commits are in it. */
  readonly reads_code: boolean;
}

/** Finds which of the lower-case `owner/name` are repositories that the viewer may see, and a reader of code may read. */
export async function findReferable(
  db: Queryable,
  places: readonly string[],
  viewer: RepositoryViewer,
  codeReader: RepositoryViewer,
): Promise<ReadonlyMap<string, Referable>> {
  if (places.length === 0) return new Map();
  const owners = places.map((place) => place.split('/', 1)[0] ?? '');
  const names = places.map((place) => place.slice(place.indexOf('/') + 1));
  const rows = await db.rows<Referable & { place: string }>(sql`
    select o.lower_name || '/' || r.lower_name as place, r.id, ${visibleTo(codeReader, 'repo.code')} as reads_code
    from unnest(${owners}::text[], ${names}::text[]) wanted (owner, name)
    join accounts o on o.lower_name = wanted.owner and o.valid_until = ${still}
    join repositories r on r.owner_id = o.id and r.lower_name = wanted.name
    where ${visibleTo(viewer)}`);
  return new Map(rows.map(({ place, ...referable }) => [place, referable]));
}
