import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import type { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';

const { rebuild: REBUILD_LOCK } = ADVISORY_LOCKS;

/** Another process is rebuilding in this database. */
export class RebuildRunning extends Error {
  override readonly name = 'RebuildRunning';
  constructor() {
    super('another rebuild is running');
  }
}

/** Runs `work` under the database's lock for rebuilds. Rejects with `RebuildRunning` at once if another process holds it. */
export const alone = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  database.exclusive(async (connection) => {
    const [row] = await connection.rows<{ taken: boolean }>(
      sql`select pg_try_advisory_lock(${REBUILD_LOCK}) as taken`,
    );
    if (!row?.taken) throw new RebuildRunning();
    try {
      return await work();
    } finally {
      await connection.rows(sql`select pg_advisory_unlock(${REBUILD_LOCK})`);
    }
  });
