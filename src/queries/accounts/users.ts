import type { Queryable } from '../../database/database.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { allOf, where } from '../conditions.js';
import { count, totalOf } from '../count.js';
import { fragmentPattern } from '../fragment-pattern.js';
import { still } from '../moment.js';
import type { PageRequest } from '../page.js';
import { accountColumns, type AccountRow } from './accounts.js';
import type { Knower } from './ties.js';

/** Which users are asked for; what is null does not narrow. */
export interface UserFilter {
  readonly sourceId: number | null;
  readonly loginName: string | null;
}

const matching = ({ sourceId, loginName }: UserFilter) => fragment`
  kind = 'user' and valid_until = ${still}
  and (${sourceId}::int8 is null or source_id = ${sourceId})
  and (${loginName}::text is null or login_name = ${loginName})`;

/** Users of whatever visibility, by name. */
export const listUsers = (
  db: Queryable,
  filter: UserFilter,
  { limit, offset }: PageRequest,
): Promise<AccountRow[]> =>
  db.rows<AccountRow>(sql`
    select * from accounts where ${matching(filter)} order by lower_name limit ${limit} offset ${offset}`);

/** How many users `listUsers` would give in all. */
export const countUsers = (db: Queryable, filter: UserFilter): Promise<number> =>
  count(db, fragment`from accounts where ${matching(filter)}`);

/** What a search is for, among users that somebody knows of without sharing an organization with them. */
export interface UserSearch extends Knower {
  /** Any part of a name, full name or e-mail address, in any letter case; empty for every user. */
  readonly fragment: string;
  readonly id: number | null;
  /** Whose address is searched whatever `emails` says; null for nobody's. */
  readonly ownId: number | null;
  /** Addresses that are searched: none, those shown, or hidden ones too. */
  readonly emails: 'none' | 'shown' | 'all';
}

/** Names and address in one text, as the index of fragments has it. */
export const namesAndAddress = fragment`(
  coalesce(lower_name, '') || E'\n' || coalesce(lower_full_name, '') || E'\n' || lower(coalesce(email, ''))
) collate "C"`;

/** What the index of fragments knows is three characters long: for less, reading through the names is faster. */
const INDEXED_CHARACTERS = 3;
const isIndexed = (text: string) => [...text].length >= INDEXED_CHARACTERS;

/** What the index is asked for: of an address, what stands before the `@`, for most have the same behind it. */
function lookedUp(text: string): string {
  const [before = ''] = text.split('@', 1);
  return isIndexed(before) ? before : text;
}

function found({ fragment: part, id, viewerId, sees, ownId, emails }: UserSearch): Fragment {
  const text = part.trim().toLowerCase();
  const looked = lookedUp(text);
  const mayHold = isIndexed(looked)
    ? fragment`${namesAndAddress} like ${fragmentPattern(looked)}`
    : fragment`true`;
  const holds = (column: Fragment) => fragment`strpos(${column}, ${text}) > 0`;
  return fragment`kind = 'user' and valid_until = ${still} and ${mayHold}
    and ${allOf(where(id, (wanted) => fragment`id = ${wanted}`))}
    and (visibility = any(${sees}::text[]) or id = ${viewerId})
    and (${holds(fragment`lower_name`)} or ${holds(fragment`lower_full_name`)}
      or (${holds(fragment`lower(email)`)} and (id = ${ownId} or ${emails} = 'all'
        or (${emails} = 'shown' and not hide_email))))`;
}

/** A page of the users that a search finds, by name, and how many it finds. */
export function searchUsers(
  db: Queryable,
  search: UserSearch,
  { limit, offset }: PageRequest,
): readonly [rows: Promise<AccountRow[]>, total: Promise<number>] {
  const all = fragment`select id, lower_name from accounts where ${found(search)}`;
  const rows = db.rows<AccountRow & { total: number }>(sql`
    with found as materialized (${all})
    select ${accountColumns}, (select count(*) from found) as total from accounts a
    where a.valid_until = ${still}
      and a.id = any(array(select id from found order by lower_name limit ${limit} offset ${offset}))
    order by a.lower_name`);
  return [rows, totalOf(db, rows, all)];
}
