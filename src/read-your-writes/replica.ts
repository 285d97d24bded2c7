import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../database/database.js';
import type { Queryable } from '../database/queryable.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import type { Statement } from '../database/sql.js';
import type { Position } from '../event-store/event-store.js';
import { pause } from '../concurrency/pause.js';
import { identityOf } from './database-identity.js';
import { readProgress } from './progress.js';
import type { ReadYourWrites } from './read-your-writes.js';
import { Waiters } from './waiters.js';

/** Where the replica is, and the primary, whose checkpoints it must have reached before it is read. */
export interface ReplicaOptions {
  readonly url: string;
  readonly applicationName: string;
  /** The schema of each projection, by its name. */
  readonly schemas: Readonly<Record<string, string>>;
  readonly primary: Pick<ReadYourWrites, 'connected' | 'shown'>;
  /** Returns the identity of the primary's database. */
  readonly identity: () => Promise<string | undefined>;
  /** Called once each time that the replica cannot be reached or goes away, or turns out to be of another database. */
  readonly onError: (error: unknown) => void;
}

type Shown = ReadonlyMap<string, Position>;

/** How long a request waits for the replica before it reads the primary, in ms. A replica known to be slower is skipped. */
const WITHIN_MS = 100;
const LOOK_EVERY_MS = 5;
const CHECK_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 1_000;

/**
 * A streaming replica of the read models. It is read only while it shows all that the primary is known to have shown, so
 * that a request finds there what it would have found on the primary. A replica cannot LISTEN, so its checkpoints are
 * polled, by one reader for all waiting requests. They are read over the connection that serves the reads, so that they
 * hold for the server behind it, whichever one a load balancer chose and even if it was reset by a crash.
 */
export class Replica {
  readonly #db: Database;
  readonly #stop = new AbortController();
  readonly #waiters = new Waiters();
  #shown: Shown | undefined;
  /** Counts the connections, because each may lead to another server. */
  #connections = 0;
  #isLate = true;
  #currentAt = performance.now();
  #reading: Promise<void> | undefined;
  #checking: Promise<void> | undefined;
  #isForeign = false;
  #isGone = false;

  constructor(private readonly options: ReplicaOptions) {
    const { url, applicationName, schemas } = options;
    this.#db = new Database({
      url,
      applicationName,
      searchPath: [...Object.values(schemas), 'public'],
      maxConnections: 1,
      admit: async (connection) => {
        await this.#refuseForeign(connection);
        const { positions } = await readProgress(connection, schemas);
        this.#connections += 1; // in the same turn: the checkpoints of the previous connection do not hold for it
        this.#shown = positions;
      },
    });
  }

  /** Begins to follow the replica. While it cannot be reached, tries again until `close`. */
  start(): void {
    this.#checking = this.#check();
  }

  /**
   * Returns a reader for one request that shows all that the primary is known to show now; undefined if the replica does
   * not within a tenth of a second, or is known to be late. Statements reject with `DatabaseUnavailable` once it is
   * unknown what the replica shows.
   */
  async reader(): Promise<Queryable | undefined> {
    const { primary } = this.options;
    if (!primary.connected || this.#isLate || !this.#shown) return undefined;
    const wanted = primary.shown();
    const shows = this.#shows(wanted) || (await this.#reaches(new Map(wanted)));
    if (shows) return this.#onThisConnection();
    this.#isLate = true; // so that no other request waits in vain
    return undefined;
  }

  /** How long ago the replica last showed what the primary showed then, in seconds; 0 if it does now. */
  get lagSeconds(): number {
    if (this.#shows(this.options.primary.shown())) return 0;
    return (performance.now() - this.#currentAt) / 1000;
  }

  /** Whether reads go to the replica. */
  get serves(): boolean {
    return !this.#isLate;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#lose();
    this.#db.abandon();
    await this.#checking;
    await this.#reading;
    await this.#db.close();
  }

  /** Throws if the connection leads to another database than the primary's, whose positions say nothing about this one. */
  async #refuseForeign(connection: Queryable): Promise<void> {
    const [its, ours] = await Promise.all([identityOf(connection), this.options.identity()]);
    const wasForeign = this.#isForeign;
    this.#isForeign = its !== undefined && ours !== undefined && its !== ours;
    if (!this.#isForeign) return;
    const error = new Error('DATABASE_REPLICA_URL names no replica of the database in DATABASE_URL');
    if (!wasForeign) this.options.onError(error);
    throw error;
  }

  #onThisConnection(): Queryable {
    const connection = this.#connections;
    return {
      rows: async <R extends object>(statement: Statement | string) => {
        const rows = await this.#db.rows<R>(statement);
        if (connection !== this.#connections) throw new DatabaseUnavailable('the replica may be another one');
        return rows;
      },
    };
  }

  async #check(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#isLate = !(await this.#reaches(new Map(this.options.primary.shown())));
      if (!this.#isLate) this.#currentAt = performance.now();
      await pause(CHECK_EVERY_MS, signal);
    }
  }

  #shows(wanted: Shown): boolean {
    if (!this.#shown) return false;
    for (const [name, position] of wanted) {
      const reached = this.#shown.get(name);
      if (reached === undefined || reached < position) return false;
    }
    return true;
  }

  #reaches(wanted: Shown): Promise<boolean> {
    const reached = this.#waiters.add(() => this.#shows(wanted), WITHIN_MS);
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return reached;
  }

  /** Reads the checkpoints while requests wait for them. */
  async #read(): Promise<void> {
    while (this.#waiters.size > 0 && !this.#stop.signal.aborted) {
      try {
        const connection = this.#connections;
        const read = await this.#readShown();
        // The checkpoints of a connection that was opened meanwhile are known since then.
        this.#shown = connection === this.#connections ? read : (this.#shown ?? read);
        this.#isGone = false;
        this.#waiters.wake();
      } catch (error) {
        if (!this.#isGone && !this.#isForeign) this.options.onError(error);
        this.#isGone = true;
        this.#lose();
      }
      if (this.#waiters.size > 0) await sleep(LOOK_EVERY_MS);
    }
  }

  /** Reads the checkpoints. Breaks the connection off if no answer comes in time, because a paused server leaves it open. */
  async #readShown(): Promise<Shown> {
    const silence = setTimeout(() => {
      this.#db.abandon();
    }, ANSWER_WITHIN_MS);
    try {
      return (await readProgress(this.#db, this.options.schemas)).positions;
    } finally {
      clearTimeout(silence);
    }
  }

  #lose(): void {
    this.#shown = undefined;
    this.#isLate = true;
    this.#waiters.clear();
  }
}
