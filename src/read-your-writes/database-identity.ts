import type { Queryable } from '../database/queryable.js';
import { hasSqlState, SQL_STATE } from '../database/sql-states.js';

/**
 * Returns what a database has in common with its streaming replicas, and with no other database; undefined if the server
 * does not tell.
 */
export async function identityOf(db: Queryable): Promise<string | undefined> {
  try {
    const [row] = await db.rows<{ identity: string }>(`
      select system_identifier || ' ' || d.oid as identity
      from pg_control_system(), pg_database d where d.datname = current_database()`);
    return row?.identity;
  } catch (error) {
    if (hasSqlState(error, SQL_STATE.noPrivilege)) return undefined;
    throw error;
  }
}
