import { fragment } from '../database/sql.js';

/** What every history tells of its change `c`, as the first fields of a JSON object: where, what, when, who, by which request. */
export const changeFields = fragment`
      'position', c.position,
      'event_id', c.event_id,
      'type', c.type,
      'at', to_char(c.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'actor', case when c.actor_id is not null then json_build_object('id', c.actor_id, 'name', c.actor_name) end,
      'request_id', c.request_id`;
