import { setTimeout as sleep } from 'node:timers/promises';
import { Database, type Queryable } from '../database/database.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import type { Statement } from '../database/sql.js';
import type { Position } from '../event-store/event-store.js';
import { pause } from '../pause.js';
import { readProgress } from './progress.js';
import type { ReadYourWrites } from './read-your-writes.js';
import { Waiters } from './waiters.js';

/** Where the replica is, and the primary that says what it has to show before it is read. */
export interface ReplicaOptions {
  readonly url: string;
  readonly applicationName: string;
  /** The schema of each projection, by its name. */
  readonly schemas: Readonly<Record<string, string>>;
  readonly primary: Pick<ReadYourWrites, 'connected' | 'shown'>;
  /** Told once of each time that the replica goes away. */
  readonly onError: (error: unknown) => void;
}

type Shown = ReadonlyMap<string, Position>;

/** How long a request waits for the replica before it reads the primary; a replica that takes longer is not asked. */
const WITHIN_MS = 100;
const LOOK_EVERY_MS = 5;
const CHECK_EVERY_MS = 250;
const ANSWER_WITHIN_MS = 1_000;

/**
 * A streaming replica of the read models. It is read only while it shows all that the primary is known to have shown,
 * so that a request finds there what it would have found on the primary. A replica cannot LISTEN: its checkpoints are
 * read, by one reader for all who wait, and over the connection that serves the reads, so that they hold for the very
 * server behind it, whichever a balancer chose and wherever a crash has set it back to.
 */
export class Replica {
  readonly #db: Database;
  readonly #stop = new AbortController();
  readonly #waiters = new Waiters();
  #shown: Shown | undefined;
  /** How many connections there have been: each may have another server behind it. */
  #connections = 0;
  #isLate = true;
  #currentAt = performance.now();
  #reading: Promise<void> | undefined;
  #checking: Promise<void> | undefined;

  constructor(private readonly options: ReplicaOptions) {
    const { url, applicationName, schemas } = options;
    this.#db = new Database({
      url,
      applicationName,
      searchPath: [...Object.values(schemas), 'public'],
      maxConnections: 1,
      admit: async (connection) => {
        const { positions } = await readProgress(connection, schemas);
        this.#connections += 1; // together: what the one before showed does not hold for it
        this.#shown = positions;
      },
    });
  }

  /** Begins to follow it. A replica that is not there is looked for until `close`. */
  start(): void {
    this.#checking = this.#check();
  }

  /**
   * Reads for one request, which show all that the primary is known to show now; undefined where the replica does not
   * within a tenth of a second, or is known not to. Statements reject with `DatabaseUnavailable` when it can no longer
   * be told what the replica shows.
   */
  async reader(): Promise<Queryable | undefined> {
    const { primary } = this.options;
    if (!primary.connected || this.#isLate || !this.#shown) return undefined;
    const wanted = primary.shown();
    const shows = this.#shows(wanted) || (await this.#reaches(new Map(wanted)));
    if (shows) return this.#onThisConnection();
    this.#isLate = true; // nobody else need wait in vain
    return undefined;
  }

  /** How long ago it last showed what the primary showed at the time, in seconds; 0 where it does now. */
  get lagSeconds(): number {
    if (this.#shows(this.options.primary.shown())) return 0;
    return (performance.now() - this.#currentAt) / 1000;
  }

  /** Whether reads go there. */
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

  /** Reads the checkpoints for as long as somebody waits. */
  async #read(): Promise<void> {
    while (this.#waiters.size > 0 && !this.#stop.signal.aborted) {
      try {
        const connection = this.#connections;
        const read = await this.#readShown();
        // Of one that was made meanwhile it is known since then.
        this.#shown = connection === this.#connections ? read : (this.#shown ?? read);
        this.#waiters.wake();
      } catch (error) {
        if (this.#shown) this.options.onError(error);
        this.#lose();
      }
      if (this.#waiters.size > 0) await sleep(LOOK_EVERY_MS);
    }
  }

  /** A server that is paused leaves its connection open: without an answer in time it is broken off. */
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
