import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client, keepAsking } from './client.js';
import './column-types.js';
import { connectionOptions, type SessionOptions } from './connection-options.js';
import { rowsOf } from './prepared-query.js';
import { sendTogether } from './send-together.js';
import { hasSqlState, SQL_STATE } from './sql-states.js';
import type { Statement } from './sql.js';
import { DatabaseUnavailable } from './unavailable.js';

/** A row whose columns the caller does not declare. */
export type Row = Record<string, unknown>;

/** Something that runs statements and returns their rows. */
export interface Queryable {
  rows<R extends object = Row>(statement: Statement | string): Promise<R[]>;
}

/** Where a database is and how it is used. Its pool has at most `maxConnections` connections, four by default. */
export interface DatabaseOptions extends SessionOptions {
  readonly maxConnections?: number;
  /**
   * Checks each new connection for `rows` before it is used. If it rejects, the connection is closed and another is tried;
   * `signal` is aborted when its time is over.
   */
  readonly admit?: (connection: Queryable, signal: AbortSignal) => Promise<void>;
  /**
   * How many ms `rows` keeps trying to connect. If given, `rows` also sends statements that were under way on a lost
   * connection once more, so they must be safe to run twice.
   */
  readonly patienceMs?: number;
  /** How many more connections `rows` may open while a slow statement holds up the pipelined one; 0 by default. */
  readonly spares?: number;
  /** Called with errors of idle connections, which no statement rejects with. */
  readonly onError?: (error: Error) => void;
}

const RETRY_MS = 50;
/** If no statement under way has been answered for this long, the next one uses a spare connection. */
const HELD_UP_MS = 20;

/**
 * Gives access to a database in two ways. `rows` sends statements over one pipelined connection, without waiting for
 * earlier answers, which is the fastest way for many small ones. While that connection is held up, they use a spare one,
 * once that is admitted. `transaction` and `exclusive` borrow a connection from the pool.
 */
export class Database implements Queryable {
  readonly #pool: pg.Pool;
  /** The errors that ended lost connections of the pool. */
  readonly #lost = new WeakMap<pg.ClientBase, Error>();
  /** The answers that the pipelined connection owes, the next one first. */
  readonly #owed = new Set<Promise<unknown>>();
  /** When it last gave one or, if it has not yet, when the first of them was asked for. */
  #movedAt = 0;
  /** The spare for statements while this connection is held up; it may itself open one spare less. */
  #spare: Database | undefined;
  /** The pipelined connection, once it is admitted. */
  #pipeline: Promise<pg.Client> | undefined;
  /** The pipelined connection, also while it is still connecting, for `abandon`. */
  #client: pg.Client | undefined;
  readonly #stop = new AbortController();

  constructor(private readonly options: DatabaseOptions) {
    this.#pool = new pg.Pool({ ...connectionOptions(options), Client, max: options.maxConnections ?? 4 });
    this.#pool.on('error', (error) => options.onError?.(error));
    // Attached at once, because an 'error' event without a listener would end the process.
    this.#pool.on('connect', (client) => client.on('error', (error) => this.#lost.set(client, error)));
  }

  /**
   * Runs a statement on the pipelined connection, in a transaction of its own. Rejects with `DatabaseUnavailable` if the
   * connection is lost or cannot be made; the next call tries to connect again.
   */
  async rows<R extends object = Row>(statement: Statement | string): Promise<R[]> {
    const [next] = this.#owed;
    const isHeldUp = next && performance.now() - this.#movedAt > HELD_UP_MS;
    const spare = isHeldUp && (await this.#spareBefore(next));
    if (spare) return spare.rows<R>(statement);
    return this.#ask<R>(statement, this.options.patienceMs === undefined ? 1 : 2);
  }

  /** Returns the spare once it is admitted; undefined if there is none, or if the pipelined connection answers first. */
  async #spareBefore(answer: Promise<unknown>): Promise<Database | undefined> {
    const spare = this.#openSpare();
    if (!spare) return undefined;
    const admitted = spare.#pipelined().then(() => spare);
    return Promise.race([admitted, answer.then(() => undefined)]).catch(() => undefined);
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
    try {
      return await this.#send<R>(client, statement);
    } catch (cause) {
      if (isCut(cause)) this.#forget(pipeline);
      if (this.#pipeline === pipeline) throw cause;
      if (attempts > 1) return this.#ask(statement, attempts - 1);
      throw new DatabaseUnavailable('the connection to the database was lost', { cause });
    }
  }

  async #send<R extends object>(client: pg.Client, statement: Statement | string): Promise<R[]> {
    sendTogether(client);
    const answer = rowsOf<R>(client, statement);
    if (this.#owed.size === 0) this.#movedAt = performance.now();
    this.#owed.add(answer);
    try {
      return await answer;
    } finally {
      this.#owed.delete(answer);
      this.#movedAt = performance.now();
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

  /** Tries until a connection is admitted or the time is over. Calls `forget` if there is none, or when it is lost. */
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
      signal.throwIfAborted(); // whoever waits for it to be aborted would wait for ever
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

/** Connects a client; unlike `client.connect`, also rejects if the client is ended meanwhile. */
const connected = (client: pg.Client): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.once('end', () => {
      reject(new Error('the connection was ended'));
    });
    client.connect().then(resolve, reject);
  });

/** Wraps a connection of the caller's own as a `Queryable`. */
export const queryableOf = (client: pg.ClientBase): Queryable => ({
  rows: <R extends object>(statement: Statement | string) => rowsOf<R>(client, statement),
});

/** Returns `DatabaseUnavailable` for an error of the connection; the error itself where the server refused a statement. */
export const unavailableIfLost = (error: unknown, message: string): unknown =>
  error instanceof DatabaseUnavailable || (error instanceof pg.DatabaseError && !isCut(error))
    ? error
    : new DatabaseUnavailable(message, { cause: error });

/** After what the server ends a session. */
const CUT = [
  SQL_STATE.connection,
  SQL_STATE.sessionEnded,
  SQL_STATE.idleTransaction,
  SQL_STATE.longTransaction,
];

const isCut = (error: unknown): boolean => hasSqlState(error, ...CUT);
