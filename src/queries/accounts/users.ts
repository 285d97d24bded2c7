import type { Queryable } from '../../database/database.js';
import { sql } from '../../database/sql.js';
import { fragmentPattern } from '../fragment-pattern.js';
import type { PageRequest } from '../page.js';
import type { AccountRow } from './accounts.js';

/** Which users are asked for; what is null does not narrow. */
export interface UserFilter {
  readonly sourceId: number | null;
  readonly loginName: string | null;
}

/** Users of whatever visibility, by name. */
export const listUsers = (
  db: Queryable,
  { sourceId, loginName }: UserFilter,
  { limit, offset }: PageRequest,
): Promise<AccountRow[]> =>
  db.rows<AccountRow>(sql`
    select * from accounts
    where kind = 'user' and valid_until = 9223372036854775807
      and (${sourceId}::int8 is null or source_id = ${sourceId})
      and (${loginName}::text is null or login_name = ${loginName})
    order by lower_name limit ${limit} offset ${offset}`);

/** How many users `listUsers` would give in all. */
export async function countUsers(db: Queryable, { sourceId, loginName }: UserFilter): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    select count(*) as count from accounts
    where kind = 'user' and valid_until = 9223372036854775807
      and (${sourceId}::int8 is null or source_id = ${sourceId})
      and (${loginName}::text is null or login_name = ${loginName})`);
  return row?.count ?? 0;
}

/** Whom a search is for, and what that one sees. */
export interface UserSearch {
  /** Any part of a name, full name or e-mail address, in any letter case; empty for every user. */
  readonly fragment: string;
  readonly id: number | null;
  readonly viewerId: number | null;
  /** The visibilities that the viewer sees; itself always, unless `narrow`. */
  readonly sees: readonly string[];
  readonly narrow: boolean;
  /** Addresses that are searched: none, those shown, or hidden ones too. The viewer's own always are. */
  readonly emails: 'none' | 'shown' | 'all';
}

/** The users that a search finds, by name. */
export function searchUsers(
  db: Queryable,
  { fragment, id, viewerId, sees, narrow, emails }: UserSearch,
  { limit, offset }: PageRequest,
): Promise<AccountRow[]> {
  const { text, pattern } = patternOf(fragment);
  return db.rows<AccountRow>(
    pattern === undefined
      ? sql`
        select * from accounts
        where kind = 'user' and valid_until = 9223372036854775807
          and (${id}::int8 is null or id = ${id})
          and (visibility = any(${sees}::text[]) or (id = ${viewerId} and not ${narrow}))
          and (strpos(lower_name, ${text}) > 0 or strpos(lower_full_name, ${text}) > 0
            or (strpos(lower(email), ${text}) > 0 and (id = ${viewerId} or ${emails} = 'all'
              or (${emails} = 'shown' and not hide_email))))
        order by lower_name limit ${limit} offset ${offset}`
      : sql`
        select * from accounts
        where kind = 'user' and valid_until = 9223372036854775807
          and (${id}::int8 is null or id = ${id})
          and (visibility = any(${sees}::text[]) or (id = ${viewerId} and not ${narrow}))
          and (lower_name like ${pattern} or lower_full_name like ${pattern}
            or (lower(email) like ${pattern} and (id = ${viewerId} or ${emails} = 'all'
              or (${emails} = 'shown' and not hide_email))))
        order by lower_name limit ${limit} offset ${offset}`,
  );
}

/** How many users a search would give in all. */
export async function countFoundUsers(
  db: Queryable,
  { fragment, id, viewerId, sees, narrow, emails }: UserSearch,
): Promise<number> {
  const { text, pattern } = patternOf(fragment);
  const [row] = await db.rows<{ count: number }>(
    pattern === undefined
      ? sql`
        select count(*) as count from accounts
        where kind = 'user' and valid_until = 9223372036854775807
          and (${id}::int8 is null or id = ${id})
          and (visibility = any(${sees}::text[]) or (id = ${viewerId} and not ${narrow}))
          and (strpos(lower_name, ${text}) > 0 or strpos(lower_full_name, ${text}) > 0
            or (strpos(lower(email), ${text}) > 0 and (id = ${viewerId} or ${emails} = 'all'
              or (${emails} = 'shown' and not hide_email))))`
      : sql`
        select count(*) as count from accounts
        where kind = 'user' and valid_until = 9223372036854775807
          and (${id}::int8 is null or id = ${id})
          and (visibility = any(${sees}::text[]) or (id = ${viewerId} and not ${narrow}))
          and (lower_name like ${pattern} or lower_full_name like ${pattern}
            or (lower(email) like ${pattern} and (id = ${viewerId} or ${emails} = 'all'
              or (${emails} = 'shown' and not hide_email))))`,
  );
  return row?.count ?? 0;
}

/** What the index of fragments knows is three characters long: for less, reading through the names is faster. */
const INDEXED_CHARACTERS = 3;

/** The text to find (an empty one is in every name), and the pattern for it where the index of fragments helps. */
function patternOf(fragment: string): { readonly text: string; readonly pattern?: string } {
  const text = fragment.trim().toLowerCase();
  if ([...text].length < INDEXED_CHARACTERS) return { text };
  return { text, pattern: fragmentPattern(text) };
}
