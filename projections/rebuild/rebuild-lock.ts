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

/** The session that held the lock has ended, so that another rebuild may run. */
export class RebuildLockLost extends Error {
  override readonly name = 'RebuildLockLost';
  constructor() {
    super('the lock for rebuilds was lost');
  }
}

/**
 * Runs `work` under the database's lock for rebuilds; `lost` is aborted with `RebuildLockLost` if the lock is. Rejects with
 * `RebuildRunning` at once if another process holds it.
 */
export const alone = <T>(database: Database, work: (lost: AbortSignal) => Promise<T>): Promise<T> =>
  database.exclusive(async (connection, client) => {
    const [row] = await connection.rows<{ taken: boolean }>(
      sql`select pg_try_advisory_lock(${REBUILD_LOCK}) as taken`,
    );
    if (!row?.taken) throw new RebuildRunning();
    const lost = new AbortController();
    const lose = () => {
      lost.abort(new RebuildLockLost());
    };
    client.once('end', lose);
    try {
      return await work(lost.signal);
    } finally {
      client.off('end', lose);
      // Where this fails the session is over, and the lock with it.
      await connection.rows(sql`select pg_advisory_unlock(${REBUILD_LOCK})`).catch(() => undefined);
    }
  });
