import pg from 'pg';
import { sendTogether } from './send-together.js';
import type { Statement } from './sql.js';

// int8 as a number where a double holds it, else as a bigint: ids stay plain numbers, limits stay exact.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
});

export type Row = Record<string, unknown>;

/** What a query needs: rows for a statement. */
export interface Queryable {
  rows<R extends object = Row>(statement: Statement | string): Promise<R[]>;
}

export interface DatabaseOptions {
  /** A PostgreSQL connection string; a Unix socket as `postgresql://user:pw@/db?host=/dir`. */
  readonly url: string;
  readonly applicationName: string;
  /** Schemas for unqualified names, in order. */
  readonly searchPath?: readonly string[];
  readonly maxConnections?: number;
  /** Called with errors of idle connections, which no query reports. */
  readonly onError?: (error: Error) => void;
}

/**
 * A database by two ways: `rows` sends statements down one pipelined connection, without waiting for earlier answers
 * (the fastest way for many small ones); `transaction` and `exclusive` borrow a connection of the pool.
 */
export class Database implements Queryable {
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;
  #pipeline: Promise<pg.Client> | undefined;
  #closed = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({ ...connectionOptions(options), max: options.maxConnections ?? 4 });
    this.#pool.on('error', (error) => options.onError?.(error));
  }

  /** Runs a statement on the pipelined connection; it commits by itself. Reconnects on the next call after a failure. */
  async rows<R extends object = Row>(statement: Statement | string): Promise<R[]> {
    const client = await this.#pipelined();
    sendTogether(client);
    return (await client.query<R>(statement as pg.QueryConfig)).rows;
  }

  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. */
  async transaction<T>(work: (connection: Queryable) => Promise<T>): Promise<T> {
    return this.exclusive(async (connection) => {
      await connection.rows('begin');
      try {
        const result = await work(connection);
        await connection.rows('commit');
        return result;
      } catch (error) {
        await connection.rows('rollback').catch(() => undefined);
        throw error;
      }
    });
  }

  /** Lends `work` a connection of its own. */
  async exclusive<T>(work: (connection: Queryable, client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let failed: Error | undefined;
    const note = (error: Error) => (failed = error);
    client.on('error', note);
    try {
      const connection: Queryable = {
        rows: async <R extends object>(statement: Statement | string) =>
          (await client.query<R>(statement as pg.QueryConfig)).rows,
      };
      return await work(connection, client);
    } finally {
      client.off('error', note);
      client.release(failed);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const pipeline = await this.#pipeline?.catch(() => undefined);
    await Promise.all([pipeline?.end().catch(() => undefined), this.#pool.end()]);
  }

  #pipelined(): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(new Error('the database connection is closed'));
    return (this.#pipeline ??= this.#connect());
  }

  async #connect(): Promise<pg.Client> {
    const forget = (error?: Error) => {
      this.#pipeline = undefined;
      if (error) this.#options.onError?.(error);
    };
    const client = new pg.Client({ ...connectionOptions(this.#options), pipeline: true });
    client.on('error', forget);
    client.on('end', () => {
      if (!this.#closed) forget();
    });
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.#pipeline = undefined;
      throw error;
    }
  }
}

/** Options for a connection of one's own (LISTEN, a lease). */
export function connectionOptions({ url, applicationName, searchPath }: DatabaseOptions): pg.ClientConfig {
  // Every statement is prepared once and its plan does not hang on the values: planning anew would cost more than it gains.
  const settings = [
    'plan_cache_mode=force_generic_plan',
    ...(searchPath ? [`search_path=${searchPath.join(',')}`] : []),
  ];
  return {
    connectionString: url,
    application_name: applicationName,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  };
}
