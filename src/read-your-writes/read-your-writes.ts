import type pg from 'pg';
import { Client, keepAsking, letIn } from '../database/client.js';
import { connectionOptions } from '../database/connection-options.js';
import type { DatabaseOptions } from '../database/database.js';
import { queryableOf } from '../database/queryable.js';
import { unavailableIfLost } from '../database/unavailable.js';
import { START, type Position } from '../event-store/event-store.js';
import { oneRun } from '../concurrency/one-run.js';
import { pause } from '../concurrency/pause.js';
import { CHECKPOINTS_CHANNEL, parseAnnouncement, STATUS_CHANGED } from './announcement.js';
import { readProgress, type Stopped } from './progress.js';
import { Waiters } from './waiters.js';

/** How far one projection is. */
export interface Progress {
  readonly projection: string;
  readonly position: Position;
  /** Present while the projection is stopped before an event that it cannot take. */
  readonly stopped?: Stopped;
}

/** How far a projection is behind: 0 once it has seen everything up to the head; the unit is that of the log's positions. */
export interface Lag extends Progress {
  readonly behind: bigint;
}

/** Which projections are followed; `onError` is called when the connection fails, which is then reopened. */
export interface ReadYourWritesOptions {
  readonly database: DatabaseOptions;
  /** The schema of each projection, by its name. */
  readonly schemas: Readonly<Record<string, string>>;
  readonly onError?: (error: unknown) => void;
}

/** How long a request waits for the read models before it is answered without them. */
export const VISIBLE_WITHIN_MS = 2_000;

/** How long the database may owe an answer, in ms. Short, because its queries are small and requests wait for it. */
const SILENCE_MS = 3_000;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2_000;

/**
 * Knows how far the projections are, from their notifications: one LISTEN connection for the whole process. When the
 * connection breaks it is reopened, and the checkpoints are read again, because a server that crashed may have lost some.
 */
export class ReadYourWrites {
  readonly #names: readonly string[];
  readonly #bySchema: ReadonlyMap<string, string>;
  readonly #stop = new AbortController();
  readonly #waiters = new Waiters();
  #positions = new Map<string, Position>();
  readonly #editions = new Map<string, number>();
  #stopped = new Map<string, Stopped>();
  #client: pg.Client | undefined;
  #listening: Promise<void> | undefined;

  constructor(private readonly options: ReadYourWritesOptions) {
    this.#names = Object.keys(options.schemas);
    this.#bySchema = new Map(Object.entries(options.schemas).map(([name, schema]) => [schema, name]));
  }

  /** Resolves once the checkpoints are known. Rejects with `DatabaseUnavailable` if the database cannot be reached. */
  async start(): Promise<void> {
    const { broken } = await this.#listen();
    this.#listening = this.#keepListening(broken);
  }

  /**
   * Resolves with true as soon as these projections (by default all) have passed the position, with false if they have
   * not within the time. Stopped projections are not waited for.
   */
  wait(position: Position, withinMs = VISIBLE_WITHIN_MS, projections = this.#names): Promise<boolean> {
    if (this.#reached(position, projections)) return Promise.resolve(true);
    if (this.#isClosed()) return Promise.resolve(false);
    return this.#waiters.add(() => this.#reached(position, projections), withinMs);
  }

  /** Returns the last known checkpoint of a projection. */
  checkpoint(projection: string): Position {
    return this.#positions.get(projection) ?? START;
  }

  /** Tells whether every projection has passed the position, including stopped ones. */
  shows(position: Position): boolean {
    return this.#names.every((name) => this.checkpoint(name) >= position);
  }

  /**
   * Returns a number that changes whenever the rows of a projection may have changed; undefined while the connection that
   * tells is broken. What was read under one edition stays valid while the edition is the same.
   */
  edition(projection: string): number | undefined {
    return this.connected ? (this.#editions.get(projection) ?? 0) : undefined;
  }

  /** Returns the last known checkpoint of each projection, and what stopped it if anything did. */
  positions(): Progress[] {
    return this.#names.map((projection) => {
      const stopped = this.#stopped.get(projection);
      return { projection, position: this.checkpoint(projection), ...(stopped && { stopped }) };
    });
  }

  /** Returns the last known checkpoints, as a live map. */
  shown(): ReadonlyMap<string, Position> {
    return this.#positions;
  }

  /** Returns how far each projection is behind the head of the log. */
  lag(head: Position): Lag[] {
    return this.positions().map((progress) => ({
      ...progress,
      behind: head > progress.position ? head - progress.position : 0n,
    }));
  }

  /** Whether the connection that receives notifications is open. */
  get connected(): boolean {
    return this.#client !== undefined;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#waiters.clear();
    await this.#client?.end().catch(() => undefined);
    await this.#listening;
  }

  /** Connects; `broken` resolves when the connection is lost. */
  async #listen(): Promise<{ readonly broken: Promise<void> }> {
    const client = new Client(connectionOptions({ ...this.options.database, silenceMs: SILENCE_MS }));
    const broken = new Promise<void>((resolve) => {
      client.on('end', () => {
        resolve();
      });
      client.on('error', (error) => {
        this.options.onError?.(error);
        resolve();
      });
    });
    const told = new Map<string, Position>();
    const readAll = oneRun(() => this.#readAll(client, told)); // many projections may be stopped at once
    client.on('notification', ({ payload = '' }) => {
      if (payload === STATUS_CHANGED) readAll().catch((error: unknown) => this.options.onError?.(error));
      else this.#hear(told, payload);
    });
    try {
      await letIn(client);
      // In this order, so that no progress is missed in between.
      await client.query(`listen ${CHECKPOINTS_CHANNEL}`);
      keepAsking(client);
      await readAll();
      if (this.#isClosed()) throw new Error('closed while it connected');
      this.#client = client;
      return { broken };
    } catch (error) {
      await client.end().catch(() => undefined);
      throw unavailableIfLost(error, 'the database cannot be reached');
    }
  }

  async #keepListening(connection: Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    let broken = connection;
    let delay = FIRST_DELAY_MS;
    for (;;) {
      await broken;
      this.#client = undefined;
      await pause(delay, signal);
      if (this.#isClosed()) return;
      try {
        ({ broken } = await this.#listen());
        delay = FIRST_DELAY_MS;
      } catch (error) {
        if (!this.#isClosed()) this.options.onError?.(error);
        delay = Math.min(delay * 2, LONGEST_DELAY_MS);
      }
    }
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  #hear(told: Map<string, Position>, payload: string): void {
    const announced = parseAnnouncement(payload);
    if (!announced) return;
    const { position, schemas, changed } = announced;
    for (const name of this.#namesOf(changed)) this.#renew(name);
    for (const name of this.#namesOf(schemas)) {
      advance(told, name, position);
      advance(this.#positions, name, position); // a checkpoint that was read may be ahead of a late notification
    }
    this.#waiters.wake();
  }

  #namesOf(schemas: readonly string[]): string[] {
    return schemas.flatMap((schema) => this.#bySchema.get(schema) ?? []);
  }

  #renew(name: string): void {
    this.#editions.set(name, (this.#editions.get(name) ?? 0) + 1);
  }

  /** Reads all checkpoints. `told` are those that notifications gave meanwhile, which may be ahead of what is read. */
  async #readAll(client: pg.Client, told: ReadonlyMap<string, Position>): Promise<void> {
    const { positions, stopped } = await readProgress(queryableOf(client), this.options.schemas);
    for (const [name, position] of told) advance(positions, name, position);
    this.#positions = positions;
    this.#stopped = stopped;
    for (const name of this.#names) this.#renew(name);
    this.#waiters.wake();
  }

  #reached(position: Position, projections: readonly string[]): boolean {
    return projections.every((name) => this.#stopped.has(name) || this.checkpoint(name) >= position);
  }
}

function advance(positions: Map<string, Position>, name: string, position: Position): void {
  if ((positions.get(name) ?? START) < position) positions.set(name, position);
}
