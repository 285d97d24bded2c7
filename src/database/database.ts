import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client, keepAsking, type ClientConfig } from './client.js';
import './column-types.js';
import { rowsOf } from './prepared-query.js';
import { sendTogether } from './send-together.js';
import type { Statement } from './sql.js';
import { DatabaseUnavailable } from './unavailable.js';

/** A row whose columns the caller does not declare. */
export type Row = Record<string, unknown>;

/** What a query needs: rows for a statement. */
export interface Queryable {
  rows<R extends object = Row>(statement: Statement | string): Promise<R[]>;
}

/** Where a database is and how it is used; without `maxConnections` the pool has four connections at most. */
export interface DatabaseOptions {
  /** A PostgreSQL connection string; a Unix socket as `postgresql://user:pw@/db?host=/dir`. */
  readonly url: string;
  readonly applicationName: string;
  /** Schemas for unqualified names, in order. */
  readonly searchPath?: readonly string[];
  readonly maxConnections?: number;
  /**
   * How long the server may owe an answer and say nothing, in ms, before the connection is taken for dead; for ever where
   * it is not given, for statements that take as long as they need.
   */
  readonly silenceMs?: number | undefined;
  /**
   * Judges each new connection for `rows` before any statement goes over it. When it rejects, the connection is closed
   * and another is tried; `signal` ends its time.
   */
  readonly admit?: (connection: Queryable, signal: AbortSignal) => Promise<void>;
  /**
   * Where given, `rows` goes on trying to connect for so long, and asks once more what was under way on a connection
   * that is lost: statements must bear that.
   */
  readonly patienceMs?: number;
  /** Connections beside the pipelined one that `rows` may use while a statement on it takes long; none by default. */
  readonly besides?: number;
  /** Called with errors of idle connections, which no query reports. */
  readonly onError?: (error: Error) => void;
}

const RETRY_MS = 50;
/** How long statements may wait without that one of them is answered, before the next one goes another way. */
const HELD_UP_MS = 20;

/** Connection exceptions, and what the server says to sessions that it ends. */
const CUT = /^(08|57P0)/;

/**
 * A database by two ways: `rows` sends statements down one pipelined connection, without waiting for earlier answers
 * (the fastest way for many small ones), and by others where that one is held up; `transaction` and `exclusive` borrow a
 * connection of the pool.
 */
export class Database implements Queryable {
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;
  /** Of the pool, what ended each connection that is lost. */
  readonly #lost = new WeakMap<pg.ClientBase, Error>();
  /** Statements that are not answered yet, and when one was last answered, or the first of them sent. */
  #unanswered = 0;
  #movedAt = 0;
  /** Where statements go while this one is held up, which has one less of its own. */
  #beside: Database | undefined;
  #pipeline: Promise<pg.Client> | undefined;
  /** Of the pipelined connection, as soon as it is being made. */
  #client: pg.Client | undefined;
  readonly #stop = new AbortController();

  constructor(options: DatabaseOptions) {
    this.#options = options;
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
    const beside = isHeldUp ? this.#other() : undefined;
    if (beside) return beside.rows<R>(statement);
    if (this.#unanswered === 0) this.#movedAt = now;
    this.#unanswered += 1;
    try {
      return await this.#ask<R>(statement, this.#options.patienceMs === undefined ? 1 : 2);
    } finally {
      this.#unanswered -= 1;
      this.#movedAt = performance.now();
    }
  }

  #other(): Database | undefined {
    const { besides = 0, ...options } = this.#options;
    if (besides > 0 && !this.#stop.signal.aborted)
      this.#beside ??= new Database({ ...options, besides: besides - 1 });
    return this.#beside;
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
    await Promise.all([pipeline?.end().catch(() => undefined), this.#pool.end(), this.#beside?.close()]);
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

  /** Tries until a connection is admitted or the time is over; `forget` is called when there is none, or none any more. */
  async #connect(forget: () => void): Promise<pg.Client> {
    const { patienceMs } = this.#options;
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
    const { onError, admit, patienceMs, silenceMs } = this.#options;
    const client = new Client({
      ...connectionOptions(this.#options),
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

const isCut = (error: unknown): boolean => error instanceof pg.DatabaseError && CUT.test(error.code ?? '');

/** How the server finds, within half a minute, that a client is gone without a word: locks of its session go with it. */
const NOTICE_LOSS = [
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=4',
  'tcp_user_timeout=30000',
];

/** What a session is opened with: these settings of the server, each `name=value`, beside those of every session. */
export const sessionOptions = (...settings: readonly string[]): string =>
  [...NOTICE_LOSS, ...settings].map((setting) => `-c ${setting}`).join(' ');

/** Options for a connection of one's own (LISTEN, a lease). */
export function connectionOptions({
  url,
  applicationName,
  searchPath,
  silenceMs,
}: DatabaseOptions): ClientConfig {
  // Every statement is prepared once and its plan does not hang on the values: planning anew would cost more than it gains.
  const settings = [
    'plan_cache_mode=force_generic_plan',
    ...(searchPath ? [`search_path=${searchPath.join(',')}`] : []),
  ];
  return {
    connectionString: url,
    application_name: applicationName,
    options: sessionOptions(...settings),
    silenceMs,
  };
}
