import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseOptions } from '../../src/database/database.js';
import type { Position } from '../../src/event-store/event-store.js';
import type { Logger } from '../../src/logger.js';
import type { ProjectedEvent } from '../projection.js';
import type { Checkpoint } from './checkpoint.js';
import { Fenced, isTransient } from './errors.js';
import type { EventSource } from './event-source.js';
import { flush } from './flush.js';
import { prefetched } from './prefetch.js';
import type { Gathered, ReadModel } from './read-model.js';
import { Session } from './session.js';

/** A read model that could not take an event, and stands before it. */
export interface Failure {
  readonly model: ReadModel;
  readonly event: ProjectedEvent;
  readonly error: unknown;
}

/** What was written at once. */
export interface Flushed {
  readonly models: readonly ReadModel[];
  readonly checkpoint: Checkpoint;
  readonly events: number;
  readonly caughtUp: boolean;
}

/** What a lane reads, where it writes, and who is told. `onFlushed` is called once a batch is committed. */
export interface LaneOptions {
  readonly database: DatabaseOptions;
  readonly source: EventSource;
  readonly log: Logger;
  /** Tells the api of each flush; not for tables that nobody reads yet. */
  readonly notify: boolean;
  readonly onFlushed?: (flushed: Flushed) => void;
  /** The lane goes on without the read model once this has resolved. */
  readonly onFailure: (failure: Failure) => Promise<void>;
}

/** How far a lane goes, and what ends it before; what is being written when `signal` is aborted is still written. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** The position of the last event to take; without it the lane goes on with the log. */
  readonly until?: Position;
  /** Called whenever the lane has written all that the log held. */
  readonly onCaughtUp?: () => void;
}

/** How often an event is tried before its read model stops. */
const ATTEMPTS = 3;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 5_000;

/** Read models at one checkpoint that advance together: one subscription, one transaction a batch. */
export class Lane {
  #members: readonly ReadModel[];
  #checkpoint: Checkpoint;
  #session: Session | undefined;

  constructor(
    private readonly options: LaneOptions,
    members: readonly ReadModel[],
    checkpoint: Checkpoint,
  ) {
    this.#members = members;
    this.#checkpoint = checkpoint;
  }

  /** Those that have not failed. */
  get members(): readonly ReadModel[] {
    return this.#members;
  }

  /** The checkpoint that its members share. */
  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /**
   * Advances until `until`, or until it is aborted or every member has failed; what is being written then is still
   * written. Rejects with `Fenced` when another writer moved a checkpoint.
   */
  async run({ signal, until, onCaughtUp }: RunOptions): Promise<void> {
    const done = () =>
      signal.aborted ||
      this.#members.length === 0 ||
      (until !== undefined && this.#checkpoint.position >= until);
    if (done()) return;
    let writing = Promise.resolve();
    const failed = new AbortController();
    try {
      const reading = AbortSignal.any([signal, failed.signal]);
      const batches = prefetched(this.options.source, this.#checkpoint, reading);
      for await (const { events: all, caughtUp } of batches) {
        const events = until === undefined ? all : all.filter(({ position }) => position <= until);
        // Handlers and folding run while the batch before is being written.
        const gathered = this.#members.flatMap((model) => tryGather(model, events));
        await writing;
        writing = this.#write(events, gathered, caughtUp, signal).then(() => {
          if (caughtUp) onCaughtUp?.();
        });
        // It is thrown where `writing` is awaited; until then no other event is waited for.
        writing.catch(() => {
          failed.abort();
        });
        const target = events.at(-1)?.position ?? this.#checkpoint.position;
        if (until !== undefined && target >= until) break;
        if (this.#members.length === 0) break;
      }
      await writing;
    } catch (error) {
      if (!signal.aborted || !isAbort(error)) throw error; // given up between two attempts
    } finally {
      await writing.catch(() => undefined);
      await this.#session?.close();
      this.#session = undefined;
    }
  }

  async #write(
    events: readonly ProjectedEvent[],
    gathered: readonly Gathered[],
    caughtUp: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    const parts = gathered.filter(({ model }) => this.#members.includes(model));
    if (parts.length < this.#members.length || !(await this.#tryFlush(parts, last, signal))) {
      await this.#writeOneByOne(events, signal);
    }
    this.#checkpoint = { position: last.position, recordedAt: last.recordedAt };
    this.options.onFlushed?.({
      models: this.#members,
      checkpoint: this.#checkpoint,
      events: events.length,
      caughtUp,
    });
  }

  /** False when the database refuses these rows. */
  async #tryFlush(parts: readonly Gathered[], to: Checkpoint, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#flush(parts, this.#checkpoint.position, to, signal);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /** Finds the members that cannot take the batch; the others take it. */
  async #writeOneByOne(events: readonly ProjectedEvent[], signal: AbortSignal): Promise<void> {
    for (const model of this.#members) {
      const failure = await this.#writeHalves(model, this.#checkpoint.position, events, signal);
      if (!failure) continue;
      await this.options.onFailure(failure);
      this.#members = this.#members.filter((member) => member !== model);
    }
  }

  /** Takes as many events as it can, and answers with the one that it cannot; cuts what is refused in halves to find it. */
  async #writeHalves(
    model: ReadModel,
    from: Position,
    events: readonly ProjectedEvent[],
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    const last = events.at(-1);
    if (!last) return undefined;
    if (events.length === 1) return this.#writeOne(model, from, last, signal);
    try {
      await this.#flush([model.gather(events)], from, last, signal);
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    const left = events.slice(0, events.length >> 1);
    const right = events.slice(left.length);
    const between = left.at(-1)?.position ?? from;
    return (
      (await this.#writeHalves(model, from, left, signal)) ??
      (await this.#writeHalves(model, between, right, signal))
    );
  }

  async #writeOne(
    model: ReadModel,
    from: Position,
    event: ProjectedEvent,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#flush([model.gather([event])], from, event, signal);
        return undefined;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (attempt === ATTEMPTS) return { model, event, error };
        await sleep(FIRST_DELAY_MS, undefined, { signal });
      }
    }
  }

  /** Tries for ever while the database is away. Rejects with what it refuses, and with `Fenced`. */
  async #flush(
    parts: readonly Gathered[],
    from: Position,
    to: Checkpoint,
    signal: AbortSignal,
  ): Promise<void> {
    if (parts.length === 0) return;
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
      try {
        if (!this.#session?.usable) {
          await this.#session?.close();
          this.#session = await Session.connect(this.options.database);
        }
        await flush(this.#session, { from, to, parts }, this.options.notify);
        return;
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.options.log.warn(
          { err: error, position: String(from) },
          'the database did not take a batch: again',
        );
        await sleep(delay, undefined, { signal });
      }
    }
  }
}

/** Nothing when a handler failed: at which event is found out when the batch is written. */
function tryGather(model: ReadModel, events: readonly ProjectedEvent[]): Gathered[] {
  try {
    return [model.gather(events)];
  } catch {
    return [];
  }
}

const isRefusal = (error: unknown): boolean => !(error instanceof Fenced) && !isTransient(error);
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
