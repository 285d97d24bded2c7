import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { changeFields, newestChanges } from '../change-fields.js';
import { allOf, where } from '../conditions.js';
import { count } from '../count.js';
import type { Moment } from '../moment.js';
import type { PageRequest } from '../page.js';

/** The changes to list. Fields that are null do not filter. */
export interface AccountHistoryFilter {
  /** The user or organization that was changed. */
  readonly subjectId: number | null;
  readonly actorId: number | null;
  /** Both inclusive, by the log's clock. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** Changes after this position are left out, so that the pages of one listing do not shift. */
  readonly at: Moment;
}

const matching = ({ subjectId, actorId, since, until, at }: AccountHistoryFilter) =>
  allOf(
    fragment`position <= ${at}`,
    where(subjectId, (id) => fragment`account_ids @> array[${id}::int8]`),
    where(actorId, (id) => fragment`actor_id = ${id}`),
    where(since, (time) => fragment`recorded_at >= ${time}`),
    where(until, (time) => fragment`recorded_at <= ${time}`),
  );

const isRare = ({ subjectId }: AccountHistoryFilter) => subjectId !== null;

/** Lists the matching changes, newest first, as the JSON text of an array. Accounts have their names of that time. */
export async function listAccountHistory(
  db: Queryable,
  filter: AccountHistoryFilter,
  page: PageRequest,
): Promise<string> {
  const [row] = await db.rows<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object(${changeFields},
      'subjects', (
        select json_agg(json_build_object('id', s.id, 'name', (
          select a.name from accounts a where a.id = s.id
          order by a.valid_from <= c.position desc, abs(a.valid_from - c.position) limit 1)) order by s.place)
        from unnest(c.account_ids) with ordinality s (id, place)),
      'before', c.before::json,
      'after', c.after::json) order by c.position desc), '[]')::text as json
    from (${newestChanges(fragment`account_changes`, matching(filter), isRare(filter), page)}) c`);
  return row?.json ?? '[]';
}

/** Counts the changes that `listAccountHistory` lists over all pages. */
export const countAccountHistory = (db: Queryable, filter: AccountHistoryFilter): Promise<number> =>
  count(db, fragment`from account_changes where ${matching(filter)}`);
