import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Client } from './client.js';
import { connectionOptions, type SessionOptions } from './connection-options.js';
import { sql } from './sql.js';

/** After how many seconds a lease that is not renewed expires, and a server that is silent counts as lost. */
export const LEASE_SECONDS = 3;
const UUID_LENGTH = 36;

/**
 * A process's exclusive claim to some names, for as long as it renews it. Another process takes over when the lease has
 * expired, or as soon as the session that holds it has ended.
 */
export class Lease {
  readonly holder = randomUUID();
  readonly #client: Client;
  #lost: Error | undefined;

  private constructor(database: SessionOptions) {
    const silenceMs = LEASE_SECONDS * 1000;
    const options = connectionOptions({ ...this.databaseOptions(database), silenceMs });
    this.#client = new Client({ ...options, query_timeout: silenceMs });
    this.#client.on('error', (error) => (this.#lost = error));
  }

  /** Opens the session that holds the leases. It has none until `renew`. Rejects if the database cannot be reached. */
  static async open(database: SessionOptions): Promise<Lease> {
    const lease = new Lease(database);
    await lease.#client.connect();
    return lease;
  }

  /** Adds the holder's id to the application's name, so that a successor can terminate the holder's sessions. */
  databaseOptions<Options extends SessionOptions>(database: Options): Options {
    return { ...database, applicationName: `${database.applicationName} ${this.holder}` };
  }

  /** Acquires or renews as many of these leases as possible; returns their names. Rejects if the session is lost. */
  async renew(names: readonly string[]): Promise<string[]> {
    if (this.#lost) throw this.#lost;
    // Terminates sessions of expired holders, because one that is paused in a transaction would keep its locks.
    await this.#client.query({
      ...sql`
        select pg_terminate_backend(a.pid) from projector.leases l
        join pg_stat_activity a on right(a.application_name, ${UUID_LENGTH}) = l.holder
        where l.schema = any(${names}) and l.expires_at < now() and l.holder <> ${this.holder}`,
    } as pg.QueryConfig);
    const { rows } = await this.#client.query<{ schema: string }>({
      ...sql`
        insert into projector.leases as l (schema, holder, backend_pid, backend_start, expires_at)
        select s, ${this.holder}, a.pid, a.backend_start, now() + make_interval(secs => ${LEASE_SECONDS})
        from unnest(${names}::text[]) s, pg_stat_activity a where a.pid = pg_backend_pid()
        order by s
        on conflict (schema) do update set
          holder = excluded.holder, backend_pid = excluded.backend_pid,
          backend_start = excluded.backend_start, expires_at = excluded.expires_at
        where l.holder = excluded.holder or l.expires_at < now() or not exists (
          select from pg_stat_activity a where a.pid = l.backend_pid and a.backend_start = l.backend_start)
        returning schema`,
    } as pg.QueryConfig);
    return rows.map(({ schema }) => schema);
  }

  /** Releases the leases, so that a successor need not wait. */
  async release(): Promise<void> {
    try {
      if (this.#lost) return;
      await this.#client.query('delete from projector.leases where holder = $1', [this.holder]);
    } finally {
      await this.#client.end().catch(() => undefined);
    }
  }
}
