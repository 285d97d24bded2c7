import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client, keepAsking, type ClientConfig } from './client.js';
import './column-types.js';
import { rowsOf } from './prepared-query.js';
import { sendTogether } from './send-together.js';
import { hasSqlState, SQL_STATE } from './sql-states.js';
import type { Statement } from './sql.js';
import { DatabaseUnavailable } from './unavailable.js';

/** A row whose columns the caller does not declare. */
export type Row = Record<string, unknown>;

/** What a query needs: rows for a statement. */
export interface Queryable {
  rows<R extends object = Row>(statement: Statement | string): Promise<R[]>;
}

/** Where a database is and how it is used. Its pool has `maxConnections` at most, or four. */
export interface DatabaseOptions {
  /** A PostgreSQL connection string; a Unix socket as `postgresql://user:pw@/db?host=/dir`. */
  readonly url: string;
  readonly applicationName: string;
  /** Schemas for unqualified names, in order. */
  readonly searchPath?: readonly string[];
  readonly maxConnections?: number;
  /**
   * How long the server may owe an answer and say nothing, in ms, before the connection is taken for dead. Without it a
   * statement may take as long as it needs.
   */
  readonly silenceMs?: number | undefined;
  /**
   * Judges each new connection for `rows` before any statement goes over it. When it rejects, the connection is closed
   * and another is tried; `signal` ends its time.
   */
  readonly admit?: (connection: Queryable, signal: AbortSignal) => Promise<void>;
  /**
   * How long `rows` goes on trying to connect, in ms. Where it is given, `rows` also asks once more what was under way on a
   * connection that is lost: statements must bear to be carried out twice.
   */
  readonly patienceMs?: number;
  /** How many more connections `rows` may open while a statement on its own takes long; none by default. */
  readonly spares?: number;
  /** Called with errors of idle connections, which no query reports. */
  readonly onError?: (error: Error) => void;
}

const RETRY_MS = 50;
/** While none of the statements under way has been answered for so long, the next one goes over a spare connection. */
const HELD_UP_MS = 20;

/**
 * A database by two ways. `rows` sends statements down one pipelined connection, without waiting for earlier answers: the
 * fastest way for many small ones. Where that connection is held up, they go over a spare one. `transaction` and
 * `exclusive` borrow a connection of the pool.
 */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  /** What ended each connection of the pool that is lost. */
  readonly #lost = new WeakMap<pg.ClientBase, Error>();
  /** How many statements of `rows` are under way. */
  #unanswered = 0;
  /** When one of them was last answered or, before that, the first of them sent. */
  #movedAt = 0;
  /** The way of statements while this one is held up; it may open one spare connection less. */
  #spare: Database | undefined;
  /** The pipelined connection, once it is admitted. */
  #pipeline: Promise<pg.Client> | undefined;
  /** The same as soon as it is being made, for `abandon`. */
  #client: pg.Client | undefined;
  readonly #stop = new AbortController();

  constructor(private readonly options: DatabaseOptions) {
    this.#pool = new pg.Pool({ ...connectionOptions(options), Client, max: options.maxConnections ?? 4 });
    this.#pool.on('error', (error) => options.onError?.(error));
    // From the first moment on: an error that nobody listens to ends the process.
    this.#pool.on('connect', (client) => client.on('error', (error) => this.#lost.set(client, error)));
  }

  /**
   * Runs a statement on the pipelined connection; it commits by itself. Rejects with `DatabaseUnavailable` where the
   * connection is lost or cannot be had; the next call makes another.
   */
  async rows<R extends object = Row>(statement: Statement | string): Promise<R[]> {
    const now = performance.now();
    const isHeldUp = this.#unanswered > 0 && now - this.#movedAt > HELD_UP_MS;
    const spare = isHeldUp ? this.#openSpare() : undefined;
    if (spare) return spare.rows<R>(statement);
    if (this.#unanswered === 0) this.#movedAt = now;
    this.#unanswered += 1;
    try {
      return await this.#ask<R>(statement, this.options.patienceMs === undefined ? 1 : 2);
    } finally {
      this.#unanswered -= 1;
      this.#movedAt = performance.now();
    }
  }

  #openSpare(): Database | undefined {
    const { spares = 0, ...options } = this.options;
    if (spares > 0 && !this.#stop.signal.aborted)
      this.#spare ??= new Database({ ...options, spares: spares - 1 });
    return this.#spare;
  }

  async #ask<R extends object>(statement: Statement | string, attempts: number): Promise<R[]> {
    const pipeline = this.#pipelined();
    const client = await pipeline;
    sendTogether(client);
    try {
      return await rowsOf<R>(client, statement);
    } catch (cause) {
      if (isCut(cause)) this.#forget(pipeline);
      if (this.#pipeline === pipeline) throw cause;
      if (attempts > 1) return this.#ask(statement, attempts - 1);
      throw new DatabaseUnavailable('the connection to the database was lost', { cause });
    }
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

  /** Lends `work` a connection of its own. Rejects with `DatabaseUnavailable` where there is none, or it was lost. */
  async exclusive<T>(work: (connection: Queryable, client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((cause: unknown) => {
      throw new DatabaseUnavailable('the database cannot be reached', { cause });
    });
    try {
      return await work(queryableOf(client), client);
    } catch (error) {
      if (isCut(error)) this.#lost.set(client, error as Error); // nobody else is to be lent what is about to end
      if (!this.#lost.has(client)) throw error;
      throw new DatabaseUnavailable('the connection to the database was lost', { cause: error });
    } finally {
      client.release(this.#lost.get(client));
    }
  }

  /** Breaks the pipelined connection off, whatever is under way on it; the next call makes another. */
  abandon(): void {
    this.#client?.connection.stream.destroy();
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    const pipeline = await this.#pipeline?.catch(() => undefined);
    await Promise.all([pipeline?.end().catch(() => undefined), this.#pool.end(), this.#spare?.close()]);
  }

  #pipelined(): Promise<pg.Client> {
    if (this.#pipeline) return this.#pipeline;
    if (this.#stop.signal.aborted) return Promise.reject(new Error('the database connection is closed'));
    const pipeline = this.#connect(() => {
      this.#forget(pipeline);
    });
    return (this.#pipeline = pipeline);
  }

  #forget(pipeline: Promise<pg.Client>): void {
    if (this.#pipeline === pipeline) this.#pipeline = undefined;
  }

  /** Tries until a connection is admitted or the time is over. Calls `forget` where there is none, or no longer one. */
  async #connect(forget: () => void): Promise<pg.Client> {
    const { patienceMs } = this.options;
    const patience = patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([this.#stop.signal, ...(patience ? [patience] : [])]);
    for (;;) {
      try {
        return await this.#open(forget, signal);
      } catch (cause) {
        if (patience) await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
        if (patience && !signal.aborted) continue;
        forget();
        throw new DatabaseUnavailable('the database cannot be reached', { cause });
      }
    }
  }

  async #open(forget: () => void, signal: AbortSignal): Promise<pg.Client> {
    const { onError, admit, patienceMs, silenceMs } = this.options;
    const client = new Client({
      ...connectionOptions(this.options),
      pipeline: true,
      ...(patienceMs !== undefined && { connectionTimeoutMillis: patienceMs }),
    });
    this.#client = client;
    const is = { admitted: false, lost: false };
    const lose = () => {
      is.lost = true;
      if (is.admitted) forget();
    };
    client.on('error', (error) => {
      lose();
      onError?.(error);
    });
    client.on('end', lose);
    const giveUp = () => void client.end().catch(() => undefined);
    signal.addEventListener('abort', giveUp);
    try {
      await connected(client);
      await admit?.(queryableOf(client), signal);
      if (is.lost || signal.aborted) throw new Error('the connection was lost at once');
      is.admitted = true;
      if (silenceMs !== undefined) keepAsking(client);
      return client;
    } catch (error) {
      giveUp();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }
}

/** As `client.connect`, which says nothing where the client is ended meanwhile. */
const connected = (client: pg.Client): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.once('end', () => {
      reject(new Error('the connection was ended'));
    });
    client.connect().then(resolve, reject);
  });

/** Statements one after the other on a connection of one's own. */
export const queryableOf = (client: pg.ClientBase): Queryable => ({
  rows: <R extends object>(statement: Statement | string) => rowsOf<R>(client, statement),
});

/** Whether a statement failed for its connection, and not for what it is. */
export const isLoss = (error: unknown): boolean => !(error instanceof pg.DatabaseError) || isCut(error);

const isCut = (error: unknown): boolean => hasSqlState(error, SQL_STATE.connection, SQL_STATE.sessionEnded);

/** Of every session, whatever the database is set to. */
const SETTINGS = [
  // The server finds within half a minute that a client is gone without a word: locks of its session go with it.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=4',
  'tcp_user_timeout=30000',
  // Times are written in one way: in others, days and months change places unnoticed.
  'DateStyle=ISO',
  'TimeZone=UTC',
];

/** Every statement is prepared once and its plan does not hang on the values: planning anew would cost more than it gains. */
export const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan';

/** Options for a connection of one's own (LISTEN, a lease); `settings` of the server are each `name=value`. */
export function connectionOptions(
  { url, applicationName, searchPath, silenceMs }: DatabaseOptions,
  settings: readonly string[] = [GENERIC_PLANS],
): ClientConfig {
  const { connectionString, options } = withoutOptions(url);
  const all = [...SETTINGS, ...settings, ...(searchPath ? [`search_path=${searchPath.join(',')}`] : [])];
  return {
    connectionString,
    application_name: applicationName,
    options: [...options, ...all.map((setting) => `-c ${setting}`)].join(' '),
    silenceMs,
  };
}

/**
 * Takes the options and the application's name out of a URL, because pg prefers those to ours. Leaves all else as it is
 * written: pg reads a URL with a bare `%` or a blank in another way.
 */
function withoutOptions(url: string): {
  readonly connectionString: string;
  readonly options: readonly string[];
} {
  const [place = '', query = ''] = url.split(/\?(.*)/s);
  const others = query.split('&').filter((part) => {
    const parameter = new URLSearchParams(part);
    return !parameter.has('options') && !parameter.has('application_name');
  });
  return {
    connectionString: `${place}?${others.join('&')}`,
    options: new URLSearchParams(query).getAll('options'),
  };
}
