import type { Queryable } from './queryable.js';
import { sql } from './sql.js';

/**
 * Lifts the time limits that a database may set, as pg_dump does: until the end of the transaction under way, or of the
 * session.
 */
export const liftTimeLimits = (connection: Queryable, until: 'transaction' | 'session' = 'transaction') =>
  connection.rows(sql`
    select set_config(name, '0', ${until === 'transaction'}) from pg_settings
    where name in
      ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`);
