import { fragment, type Fragment } from '../database/sql.js';
import type { PageRequest } from './page.js';

/**
 * The fields that every history tells of its change `c`, at the beginning of a JSON object: where, what, when, who, and
 * by which request.
 */
export const changeFields = fragment`
      'position', c.position,
      'event_id', c.event_id,
      'type', c.type,
      'at', to_char(c.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor', case when c.actor_id is not null then json_build_object('id', c.actor_id, 'name', c.actor_name) end,
      'request_id', c.request_id`;

/**
 * Selects a page of the matching changes, newest first. Rare ones are all found before the page is cut, because with a
 * limit the planner would search for them among the newest changes, one by one.
 */
export const newestChanges = (
  table: Fragment,
  matching: Fragment,
  isRare: boolean,
  { limit, offset }: PageRequest,
): Fragment =>
  isRare
    ? fragment`
      with found as materialized (select position from ${table} where ${matching})
      select * from ${table} where position = any(array(
        select position from found order by position desc limit ${limit} offset ${offset}))`
    : fragment`
      select * from ${table} where ${matching} order by position desc limit ${limit} offset ${offset}`;
