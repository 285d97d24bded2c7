import type { Queryable } from '../database/queryable.js';
import { fragment, sql, type Fragment } from '../database/sql.js';
import { count } from './count.js';
import type { PageRequest } from './page.js';

/** The changes to list. */
interface Changes {
  readonly table: Fragment;
  readonly matching: Fragment;
  /** Whether few changes are expected to match. */
  readonly isRare: boolean;
  /** What only this history tells of its change `c`, as fields of a JSON object. */
  readonly fields: Fragment;
}

/** Lists changes, newest first, as the JSON text of an array, and counts all that match. */
export async function listChanges(
  db: Queryable,
  part: PageRequest,
  changes: Changes,
): Promise<readonly [json: string, total: number]> {
  const { table, matching, fields } = changes;
  const [[row], total] = await Promise.all([
    db.rows<{ json: string }>(sql`
      select coalesce(json_agg(json_build_object(
        'position', c.position,
        'event_id', c.event_id,
        'type', c.type,
        'at', to_char(c.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'actor', case when c.actor_id is not null then json_build_object('id', c.actor_id, 'name', c.actor_name) end,
        'request_id', c.request_id,
        ${fields},
        'before', c.before::json,
        'after', c.after::json) order by c.position desc), '[]')::text as json
      from (${newest(changes, part)}) c`),
    count(db, fragment`from ${table} where ${matching}`),
  ]);
  return [row?.json ?? '[]', total];
}

/**
 * Selects a page of the matching changes, newest first. Rare ones are all found before the page is cut, because with a
 * limit the planner would search for them among the newest changes, one by one.
 */
const newest = ({ table, matching, isRare }: Changes, { limit, offset }: PageRequest): Fragment =>
  isRare
    ? fragment`
      with found as materialized (select position from ${table} where ${matching})
      select * from ${table} where position = any(array(
        select position from found order by position desc limit ${limit} offset ${offset}))`
    : fragment`
      select * from ${table} where ${matching} order by position desc limit ${limit} offset ${offset}`;
