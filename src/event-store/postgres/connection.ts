import { setMaxListeners } from 'node:events';
import pg from 'pg';
import { pause } from '../../concurrency/pause.js';
import { Client, keepAsking } from '../../database/client.js';
import { connectionOptions } from '../../database/connection-options.js';
import type { Statement } from '../../database/sql.js';
import { hasSqlState, SQL_STATE } from '../../database/sql-states.js';
import type { TextRow } from '../../database/text-row.js';
import { pauseAfter } from '../back-off.js';
import { EventStoreUnavailable } from '../event-store.js';

/** The server to connect to, which lists the connection under `applicationName`, and its limits and callbacks. */
export interface ConnectionOptions {
  readonly url: string;
  readonly applicationName: string;
  /** For how long a statement is retried, in ms, over any number of connections. */
  readonly timeLimit: number;
  /** Called with the error that broke the connection. */
  readonly onError: (error: Error) => void;
  /** Called with every new connection, before any statement runs on it. */
  readonly onConnect?: (client: pg.Client) => Promise<void>;
}

const BACK_OFF = { first: 20, most: 500 };
const asText = { getTypeParser: () => (text: string) => text };

/**
 * One connection to PostgreSQL, pipelined, opened on first use and again after each loss. For statements that may
 * run twice: one whose answer was lost is sent again.
 */
export class Connection {
  readonly #closing = new AbortController();
  #client: Promise<pg.Client> | undefined;
  #hasServed = false;

  constructor(private readonly options: ConnectionOptions) {
    setMaxListeners(0, this.#closing.signal); // any number of statements may wait while the server is down
  }

  /**
   * Runs a statement, which commits by itself. Rejects with `EventStoreUnavailable` when no answer came within the
   * time limit: it may have run. Rejects with the server's error where the statement itself failed.
   */
  async query<R extends TextRow>(statement: Statement): Promise<readonly R[]> {
    const deadline = performance.now() + this.options.timeLimit;
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#attempt(statement, deadline)) as readonly R[];
      } catch (error) {
        if (!isLoss(error)) throw error;
        const ms = pauseAfter(attempt, BACK_OFF);
        if (performance.now() + ms >= deadline || this.#closing.signal.aborted) {
          throw new EventStoreUnavailable('PostgreSQL did not answer', { cause: error });
        }
        await pause(ms, this.#closing.signal);
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = await this.#client?.catch(() => undefined);
    if (!client) return;
    const giveUp = setTimeout(() => client.connection.stream.destroy(), 1000);
    await client.end().catch(() => undefined);
    clearTimeout(giveUp);
  }

  async #attempt({ name, text, values }: Statement, deadline: number): Promise<readonly TextRow[]> {
    const client = await (this.#client ?? this.#open(deadline));
    const { rows } = await client.query<(string | null)[]>({
      name,
      text,
      values: [...values],
      rowMode: 'array',
      types: asText,
      // When it expires, pg destroys the connection, so that the statements behind this one are retried as well.
      query_timeout: Math.max(1, deadline - performance.now()),
    } as pg.QueryArrayConfig);
    return rows;
  }

  #open(deadline: number): Promise<pg.Client> {
    const client = new Client({
      ...connectionOptions(this.options),
      silenceMs: this.options.timeLimit,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: Math.max(1, deadline - performance.now()),
    });
    const forget = () => {
      if (this.#client === opening) this.#client = undefined;
    };
    client.on('error', (error) => {
      forget();
      this.options.onError(error);
    });
    client.once('end', forget);
    const opening = this.#connect(client).catch((error: unknown) => {
      forget();
      client.connection.stream.destroy();
      throw error;
    });
    return (this.#client = opening);
  }

  async #connect(client: pg.Client): Promise<pg.Client> {
    if (this.#closing.signal.aborted) throw new EventStoreUnavailable('the event store is closed');
    await client.connect().catch((cause: unknown) => {
      // After a first success, a refusal counts as an outage: it may pass, and statements under way may have run.
      throw this.#hasServed ? new Error('PostgreSQL lets nobody in', { cause }) : cause;
    });
    this.#hasServed = true;
    await this.options.onConnect?.(client);
    keepAsking(client);
    return client;
  }
}

/** Tells whether the server or the network failed, so that the same statement may succeed later. */
function isLoss(error: unknown): boolean {
  if (error instanceof EventStoreUnavailable || error instanceof TypeError) return false;
  const { connection, longTransaction, resources, intervention, readOnly } = SQL_STATE;
  return (
    !(error instanceof pg.DatabaseError) ||
    hasSqlState(error, connection, longTransaction, resources, intervention, readOnly)
  );
}
