import pg from 'pg';
import { Client } from './client.js';
import './column-types.js';
import { connectionOptions } from './connection-options.js';
import { Pipeline, type PipelineOptions } from './pipeline.js';
import { queryableOf, type Queryable, type Row } from './queryable.js';
import type { Statement } from './sql.js';
import { DatabaseUnavailable, isCut } from './unavailable.js';

/** Where a database is and how it is used. Its pool has at most `maxConnections` connections, four by default. */
export interface DatabaseOptions extends PipelineOptions {
  readonly maxConnections?: number;
}

/**
 * Gives access to a database in two ways: `rows` sends statements over one pipelined connection, `transaction` and
 * `exclusive` borrow a connection from a pool.
 */
export class Database implements Queryable {
  readonly #pipeline: Pipeline;
  readonly #pool: pg.Pool;
  /** The errors that ended lost connections of the pool. */
  readonly #lost = new WeakMap<pg.ClientBase, Error>();
  #closed: Promise<unknown> | undefined;

  constructor(options: DatabaseOptions) {
    this.#pipeline = new Pipeline(options);
    this.#pool = new pg.Pool({ ...connectionOptions(options), Client, max: options.maxConnections ?? 4 });
    this.#pool.on('error', (error) => options.onError?.(error));
    // Attached at once, because an 'error' event without a listener would end the process.
    this.#pool.on('connect', (client) => client.on('error', (error) => this.#lost.set(client, error)));
  }

  /** Runs a statement in a transaction of its own: see `Pipeline`. */
  rows<R extends object = Row>(statement: Statement | string): Promise<R[]> {
    return this.#pipeline.rows<R>(statement);
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

  /** Lends `work` a connection of its own. Rejects with `DatabaseUnavailable` if none can be made, or if it was lost. */
  async exclusive<T>(work: (connection: Queryable, client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((cause: unknown) => {
      throw new DatabaseUnavailable('the database cannot be reached', { cause });
    });
    try {
      return await work(queryableOf(client), client);
    } catch (error) {
      if (isCut(error)) this.#lost.set(client, error as Error); // so that it is not lent again
      if (!this.#lost.has(client)) throw error;
      throw new DatabaseUnavailable('the connection to the database was lost', { cause: error });
    } finally {
      client.release(this.#lost.get(client));
    }
  }

  /** Destroys the pipelined connection with all statements under way on it; the next call makes another. */
  abandon(): void {
    this.#pipeline.abandon();
  }

  async close(): Promise<void> {
    await (this.#closed ??= Promise.all([this.#pipeline.close(), this.#pool.end()]));
  }
}
