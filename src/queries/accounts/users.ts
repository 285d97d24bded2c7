import type { Queryable } from '../../database/queryable.js';
import { fragment, sql, type Fragment } from '../../database/sql.js';
import { still } from '../../database/still.js';
import { allOf, where } from '../conditions.js';
import { totalOf } from '../count.js';
import { fragmentPattern } from '../fragment-pattern.js';
import { paged, type Paged, type PageRequest } from '../page.js';
import { oneSigmaIn, withOneSigma } from '../sigma.js';
import { accountColumns, type AccountRow } from './accounts.js';
import type { Knower } from './ties.js';

/** The users to list. Fields that are null do not filter. */
export interface UserFilter {
  readonly sourceId: number | null;
  readonly loginName: string | null;
}

const matching = ({ sourceId, loginName }: UserFilter) =>
  allOf(
    fragment`kind = 'user' and valid_until = ${still}`,
    where(sourceId, (id) => fragment`source_id = ${id}`),
    where(loginName, (name) => fragment`login_name = ${name}`),
  );

/** Lists the matching users of any visibility, by name. */
export const listUsers = (db: Queryable, filter: UserFilter, part: PageRequest): Promise<Paged<AccountRow>> =>
  paged(db, part, {
    columns: fragment`*`,
    from: fragment`from accounts where ${matching(filter)}`,
    orderBy: fragment`lower_name`,
  });

/** A search among the users that the viewer may see without sharing an organization with them. */
export interface UserSearch extends Knower {
  /** Part of a name, full name or e-mail address, in any letter case; empty for all users. */
  readonly fragment: string;
  readonly id: number | null;
  /** The account whose address is always searched, whatever `emails` says; null for none. */
  readonly ownId: number | null;
  /** The addresses that are searched: none, shown ones, or hidden ones as well. */
  readonly emails: 'none' | 'shown' | 'all';
}

/** A user's names and address in one text: exactly the expression of the trigram index. */
export const namesAndAddress = fragment`(
  coalesce(lower_name, '') || E'\n' || coalesce(lower_full_name, '') || E'\n' || lower(coalesce(email, ''))
) collate "C"`;

/** The index works on three characters; for a shorter text, a scan of the names is faster. */
const INDEXED_CHARACTERS = 3;
const isIndexed = (text: string) => [...text].length >= INDEXED_CHARACTERS;

/** Returns the text to look up in the index: for an address, the part before the `@`, because many share the rest. */
function lookedUp(text: string): string {
  const [before = ''] = text.split('@', 1);
  return isIndexed(before) ? before : text;
}

function found({ fragment: part, id, viewerId, sees, ownId, emails }: UserSearch): Fragment {
  const text = withOneSigma(part.trim().toLowerCase());
  const looked = lookedUp(text);
  const mayHold = isIndexed(looked)
    ? fragment`${namesAndAddress} like ${fragmentPattern(looked).replaceAll('σ', '_')}`
    : fragment`true`;
  const holds = (column: Fragment) => fragment`strpos(${oneSigmaIn(column, text)}, ${text}) > 0`;
  return fragment`kind = 'user' and valid_until = ${still} and ${mayHold}
    and ${allOf(where(id, (wanted) => fragment`id = ${wanted}`))}
    and (visibility = any(${sees}::text[]) or id = ${viewerId})
    and (${holds(fragment`lower_name`)} or ${holds(fragment`lower_full_name`)}
      or (${holds(fragment`lower(email)`)} and (id = ${ownId} or ${emails} = 'all'
        or (${emails} = 'shown' and not hide_email))))`;
}

/** Lists the users that a search finds, by name. */
export function searchUsers(
  db: Queryable,
  search: UserSearch,
  { limit, offset }: PageRequest,
): Promise<Paged<AccountRow>> {
  const all = fragment`select id, lower_name from accounts where ${found(search)}`;
  const rows = db.rows<AccountRow & { total: number }>(sql`
    with found as materialized (${all})
    select ${accountColumns}, (select count(*) from found) as total from accounts a
    where a.valid_until = ${still}
      and a.id = any(array(select id from found order by lower_name limit ${limit} offset ${offset}))
    order by a.lower_name`);
  return Promise.all([rows, totalOf(db, rows, all)]);
}
