import pg from 'pg';
import { connectWith } from '../database/client.js';
import { connectionOptions } from '../database/connection-options.js';

/** Between us and the database stands a pooler, such as PgBouncer, that gives connections no session of their own. */
export class PooledDatabase extends Error {
  override readonly name = 'PooledDatabase';
  constructor(reason: string, options?: ErrorOptions) {
    super(
      `the database is reached through a pooler, ${reason}: set DATABASE_URL to the address of PostgreSQL itself`,
      options,
    );
  }
}

const PROBE = 'tallyforge_probe';

/**
 * Throws `PooledDatabase` unless connections have sessions of their own with the settings they ask for. Without those,
 * read models are not found; without these, notifications, leases and locks are somebody else's. `client` is connected to
 * the database of `url`, and idle.
 */
export async function refusePooler(client: pg.Client, url: string): Promise<void> {
  const options = connectionOptions({ url, applicationName: 'tallyforge-migrate', searchPath: [PROBE] });
  const another = await connectWith(options).catch((error: unknown) => {
    const { cause } = error as Error;
    throw isRefusalOfSettings(cause)
      ? new PooledDatabase(`which refuses the settings of sessions (${cause.message})`, { cause })
      : error;
  });
  try {
    const { pid, path } = await sessionOf(another);
    if (pid === (await sessionOf(client)).pid)
      throw new PooledDatabase('whose connections share one session');
    if (path !== PROBE) throw new PooledDatabase('which drops the settings of sessions');
  } finally {
    await another.end();
  }
}

/** As PgBouncer says it, of `options` as a whole or of a setting in them. */
const isRefusalOfSettings = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.message.startsWith('unsupported startup parameter');

async function sessionOf(client: pg.Client): Promise<{ readonly pid: number; readonly path: string }> {
  const { rows } = await client.query<{ pid: number; path: string }>(
    `select pg_backend_pid() as pid, current_setting('search_path') as path`,
  );
  const [session] = rows;
  if (!session) throw new Error('the database does not say which session this is');
  return session;
}
