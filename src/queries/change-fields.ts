import { fragment, type Fragment } from '../database/sql.js';
import type { PageRequest } from './page.js';

/**
 * What every history tells of its change `c`, as the first fields of a JSON object: where, what, when, who, by which
 * request.
 */
export const changeFields = fragment`
      'position', c.position,
      'event_id', c.event_id,
      'type', c.type,
      'at', to_char(c.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor', case when c.actor_id is not null then json_build_object('id', c.actor_id, 'name', c.actor_name) end,
      'request_id', c.request_id`;

/**
 * A page of the changes that match, the newest first. Rare ones are found first and cut to the page then: with a limit the
 * planner would look for them among the newest, one by one.
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
