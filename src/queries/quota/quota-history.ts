import type { Queryable } from '../../database/database.js';
import { fragment, sql } from '../../database/sql.js';
import { changeFields, newestChanges } from '../change-fields.js';
import { allOf, where } from '../conditions.js';
import { count } from '../count.js';
import type { Moment } from '../moment.js';
import type { PageRequest } from '../page.js';

/** The changes to list. Fields that are null do not filter. */
export interface QuotaHistoryFilter {
  readonly accountId: number | null;
  readonly group: string | null;
  readonly rule: string | null;
  /** Both inclusive, by the log's clock. */
  readonly since: Date | null;
  readonly until: Date | null;
  /** Changes after this position are left out, so that the pages of one listing do not shift. */
  readonly at: Moment;
}

const matching = ({ accountId, group, rule, since, until, at }: QuotaHistoryFilter) =>
  allOf(
    fragment`position <= ${at}`,
    where(accountId, (id) => fragment`account_id = ${id}`),
    where(group, (name) => fragment`"groups" @> array[${name}::text]`),
    where(rule, (name) => fragment`"rules" @> array[${name}::text]`),
    where(since, (time) => fragment`recorded_at >= ${time}`),
    where(until, (time) => fragment`recorded_at <= ${time}`),
  );

const isRare = ({ group, rule }: QuotaHistoryFilter) => group !== null || rule !== null;

/** Lists the matching changes, newest first, as the JSON text of an array. */
export async function listQuotaHistory(
  db: Queryable,
  filter: QuotaHistoryFilter,
  page: PageRequest,
): Promise<string> {
  const [row] = await db.rows<{ json: string }>(sql`
    select coalesce(json_agg(json_build_object(${changeFields},
      'user', case when c.account_id is not null then json_build_object('id', c.account_id, 'name', a.name) end,
      'groups', c."groups",
      'rules', c."rules",
      'before', c.before::json,
      'after', c.after::json) order by c.position desc), '[]')::text as json
    from (${newestChanges(fragment`quota_changes`, matching(filter), isRare(filter), page)}) c
    left join accounts a on a.id = c.account_id and a.valid_from <= c.position and a.valid_until > c.position`);
  return row?.json ?? '[]';
}

/** Counts the changes that `listQuotaHistory` lists over all pages. */
export const countQuotaHistory = (db: Queryable, filter: QuotaHistoryFilter): Promise<number> =>
  count(db, fragment`from quota_changes where ${matching(filter)}`);
