import { once } from 'node:events';
import { keepAsking } from '../database/client.js';
import type { Database } from '../database/database.js';
import type { Queryable, Row } from '../database/queryable.js';
import { DatabaseUnavailable, unavailableIfLost } from '../database/unavailable.js';
import type { Statement } from '../database/sql.js';
import { pause } from '../concurrency/pause.js';
import { Queues } from '../concurrency/queues.js';
import { CHANNEL } from './changes.js';

/** The database whose connection is used, and the callbacks for what happens on it. */
export interface SessionOptions {
  readonly database: Database;
  readonly onNotification: (payload: string) => void;
  /** Called when the connection broke, so that notifications may have been missed and locks are lost. */
  readonly onBroken: () => void;
  readonly onError: (error: unknown) => void;
}

const RECONNECT_MS = 250;

/** A connection that is held for as long as the process runs, to listen for notifications and to hold advisory locks. */
export class Session {
  readonly #ending = new AbortController();
  readonly #queues = new Queues();
  #connection: Queryable | undefined;
  #ended: Promise<void> | undefined;

  constructor(private readonly options: SessionOptions) {}

  /** Resolves once it listens; from then on it reconnects by itself. Rejects if the database cannot be reached. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#ended = this.#keepConnected(resolve).catch(reject);
    });
  }

  /**
   * The connection of this moment and no other. Once it is broken its statements reject with `DatabaseUnavailable`, and what
   * was held on it, such as a lock, is lost.
   */
  get connection(): Queryable {
    const connection = this.#connection;
    return { rows: (statement) => this.#rowsOn(connection, statement) };
  }

  /** Runs a statement on this connection and no other. Rejects with `DatabaseUnavailable` while it is broken. */
  rows<R extends object = Row>(statement: Statement): Promise<R[]> {
    return this.connection.rows<R>(statement);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
  }

  async #keepConnected(started: () => void): Promise<void> {
    const { signal } = this.#ending;
    await this.#connected(started);
    for (;;) {
      this.options.onBroken();
      await pause(RECONNECT_MS, signal);
      if (signal.aborted) return;
      await this.#connected().catch(this.options.onError);
    }
  }

  async #rowsOn<R extends object>(
    connection: Queryable | undefined,
    statement: Statement | string,
  ): Promise<R[]> {
    if (!connection || connection !== this.#connection)
      throw new DatabaseUnavailable('the vault is not connected');
    try {
      return await this.#queues.run('', () => connection.rows<R>(statement));
    } catch (error) {
      throw unavailableIfLost(error, 'the vault is cut off');
    }
  }

  /** Resolves when the connection has ended. */
  #connected(started?: () => void): Promise<void> {
    const { signal } = this.#ending;
    return this.options.database.exclusive(async (connection, client) => {
      const hear = ({ payload = '' }: { payload?: string | undefined }) => {
        this.options.onNotification(payload);
      };
      client.on('notification', hear);
      try {
        await connection.rows(`listen ${CHANNEL}`);
        keepAsking(client);
        this.options.onBroken(); // notifications before `listen` were missed
        this.#connection = connection;
        started?.();
        await once(client, 'end', { signal }).catch(() => undefined);
      } finally {
        this.#connection = undefined;
        client.off('notification', hear);
        // The connection goes back to the pool, which may lend it to others.
        if (signal.aborted)
          await connection.rows('unlisten *; select pg_advisory_unlock_all()').catch(() => undefined);
      }
    });
  }
}
