import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseOptions } from '../../src/database/database.js';
import type { Position } from '../../src/event-store/event-store.js';
import type { Logger } from '../../src/logging/logger.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import type { Checkpoint } from './checkpoint.js';
import { Fenced, isTransient } from './errors.js';
import type { EventSource } from './event-source.js';
import { flush } from './flush.js';
import { prefetched } from './prefetch.js';
import type { Gathered, ReadModel } from './read-model.js';
import { Session } from './session.js';

/** A read model that stopped before an event that it could not process. */
export interface Failure {
  readonly model: ReadModel;
  readonly event: DomainEvent;
  readonly error: unknown;
}

/** A batch that was committed. */
export interface Flushed {
  readonly models: readonly ReadModel[];
  readonly checkpoint: Checkpoint;
  readonly events: number;
  readonly caughtUp: boolean;
}

/** What a lane reads from, writes to and reports to. `onFlushed` is called after each committed batch. */
export interface LaneOptions {
  readonly database: DatabaseOptions;
  readonly source: EventSource;
  readonly log: Logger;
  /** Whether to notify the API of each batch; false for tables that nobody reads yet. */
  readonly notify: boolean;
  readonly onFlushed?: (flushed: Flushed) => void;
  /** Called when a read model fails. Once it has resolved, the lane continues without that read model. */
  readonly onFailure: (failure: Failure) => Promise<void>;
}

/** When a lane ends. A batch that is being written when `signal` is aborted is still written. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** The position of the last event to process; without it the lane follows the log until it is aborted. */
  readonly until?: Position;
  /** Called each time the lane has written all events of the log. */
  readonly onCaughtUp?: () => void;
}

/** How many times an event is tried before its read model stops. */
const ATTEMPTS = 3;
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 5_000;

/** Advances read models that share a checkpoint, with one subscription and one transaction per batch. */
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

  /** The read models that have not failed. */
  get members(): readonly ReadModel[] {
    return this.#members;
  }

  /** The checkpoint that all members share. */
  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  /**
   * Advances to `until`, or until it is aborted or every member has failed; a batch that is being written then is still
   * written. Rejects with `Fenced` if another writer moved a checkpoint.
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
        // The error is thrown where `writing` is awaited; aborting ends the wait for further events.
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
    events: readonly DomainEvent[],
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

  /** Writes the changes. Returns false if the database refuses these rows. */
  async #tryFlush(parts: readonly Gathered[], to: Checkpoint, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#flush(parts, this.#checkpoint.position, to, signal);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /** Writes the batch for each member alone, so that only those that cannot process it fail. */
  async #writeOneByOne(events: readonly DomainEvent[], signal: AbortSignal): Promise<void> {
    for (const model of this.#members) {
      const failure = await this.#writeHalves(model, this.#checkpoint.position, events, signal);
      if (!failure) continue;
      await this.options.onFailure(failure);
      this.#members = this.#members.filter((member) => member !== model);
    }
  }

  /** Writes events up to the first that fails, found by bisection. Returns that failure, or undefined if none failed. */
  async #writeHalves(
    model: ReadModel,
    from: Position,
    events: readonly DomainEvent[],
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
    event: DomainEvent,
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

  /** Writes the changes, and retries for as long as errors are transient. Rejects with any other error, such as `Fenced`. */
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

/** Runs the handlers. Returns an empty array if one failed; writing the batch then finds the event. */
function tryGather(model: ReadModel, events: readonly DomainEvent[]): Gathered[] {
  try {
    return [model.gather(events)];
  } catch {
    return [];
  }
}

const isRefusal = (error: unknown): boolean => !(error instanceof Fenced) && !isTransient(error);
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
