import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Client, keepAsking } from './client.js';
import { connectionOptions, type SessionOptions } from './connection-options.js';
import { rowsOf } from './prepared-query.js';
import { queryableOf, type Queryable, type Row } from './queryable.js';
import { sendTogether } from './send-together.js';
import type { Statement } from './sql.js';
import { DatabaseUnavailable, isCut } from './unavailable.js';

/** Where a database is, and how its pipelined connection is made. */
export interface PipelineOptions extends SessionOptions {
  /**
   * Checks each new connection before it is used. If it rejects, the connection is closed and another is tried; `signal` is
   * aborted when its time is over.
   */
  readonly admit?: (connection: Queryable, signal: AbortSignal) => Promise<void>;
  /**
   * How many ms `rows` keeps trying to connect. If given, `rows` also sends statements that were under way on a lost
   * connection once more, so they must be safe to run twice.
   */
  readonly patienceMs?: number;
  /** How many more connections `rows` may open while a slow statement holds up the first one; 0 by default. */
  readonly spares?: number;
  /** Called with errors of idle connections, which no statement rejects with. */
  readonly onError?: (error: Error) => void;
}

const RETRY_MS = 50;
/** If no statement under way has been answered for this long, the next one uses a spare. */
const HELD_UP_MS = 20;

/**
 * Sends statements over one connection, without waiting for earlier answers, which is the fastest way for many small ones.
 * While that connection is held up, they use a spare one, once that is admitted.
 */
export class Pipeline implements Queryable {
  /** The answers that the connection owes, the next one first. */
  readonly #owed = new Set<Promise<unknown>>();
  /** When it last gave one or, if it has not yet, when the first of them was asked for. */
  #movedAt = 0;
  /** The spare for statements while this connection is held up; it may itself open one spare less. */
  #spare: Pipeline | undefined;
  /** The connection, once it is admitted. */
  #connection: Promise<pg.Client> | undefined;
  /** The connection, also while it is still being made, for `abandon`. */
  #client: pg.Client | undefined;
  readonly #stop = new AbortController();

  constructor(private readonly options: PipelineOptions) {}

  /**
   * Runs a statement in a transaction of its own. Rejects with `DatabaseUnavailable` if the connection is lost or cannot be
   * made; the next call tries to connect again.
   */
  async rows<R extends object = Row>(statement: Statement | string): Promise<R[]> {
    const [next] = this.#owed;
    const isHeldUp = next && performance.now() - this.#movedAt > HELD_UP_MS;
    const spare = isHeldUp && (await this.#spareBefore(next));
    if (spare) return spare.rows<R>(statement);
    return this.#ask<R>(statement, this.options.patienceMs === undefined ? 1 : 2);
  }

  /** Returns the spare once it is admitted; undefined if there is none, or if this connection answers first. */
  async #spareBefore(answer: Promise<unknown>): Promise<Pipeline | undefined> {
    const spare = this.#openSpare();
    if (!spare) return undefined;
    const admitted = spare.#connected().then(() => spare);
    return Promise.race([admitted, answer.then(() => undefined)]).catch(() => undefined);
  }

  #openSpare(): Pipeline | undefined {
    const { spares = 0, ...options } = this.options;
    if (spares > 0 && !this.#stop.signal.aborted)
      this.#spare ??= new Pipeline({ ...options, spares: spares - 1 });
    return this.#spare;
  }

  async #ask<R extends object>(statement: Statement | string, attempts: number): Promise<R[]> {
    const connection = this.#connected();
    const client = await connection;
    try {
      return await this.#send<R>(client, statement);
    } catch (cause) {
      if (isCut(cause)) this.#forget(connection);
      if (this.#connection === connection) throw cause;
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

  /** Destroys the connection with all statements under way on it; the next call makes another. */
  abandon(): void {
    this.#client?.connection.stream.destroy();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const client = await this.#connection?.catch(() => undefined);
    await Promise.all([client?.end().catch(() => undefined), this.#spare?.close()]);
  }

  #connected(): Promise<pg.Client> {
    if (this.#connection) return this.#connection;
    if (this.#stop.signal.aborted) return Promise.reject(new Error('the database connection is closed'));
    const connection = this.#connect(() => {
      this.#forget(connection);
    });
    return (this.#connection = connection);
  }

  #forget(connection: Promise<pg.Client>): void {
    if (this.#connection === connection) this.#connection = undefined;
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
      await connect(client);
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
const connect = (client: pg.Client): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.once('end', () => {
      reject(new Error('the connection was ended'));
    });
    client.connect().then(resolve, reject);
  });
