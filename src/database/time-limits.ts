import type { Queryable } from './database.js';
import { sql } from './sql.js';

/** Lifts the time limits that a database may set, until the end of the transaction under way; as pg_dump does. */
export const liftTimeLimits = (connection: Queryable) =>
  connection.rows(sql`
    select set_config(name, '0', true) from pg_settings
    where name in ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`);
