import type { JsonObject } from '../json.js';

/** A place among all events of the log. Grows with every event; gaps may exist (EventStoreDB counts bytes). */
export type Position = bigint;

/** Before the first event: `subscribe(START)` gives every event. Positions of events are greater. */
export const START: Position = -1n;

/** The one that comes after the other in the log. */
export const later = (one: Position, other: Position): Position => (one > other ? one : other);

/** A place in one stream, from 0. */
export type Revision = number;

/** The revision the writer believes the stream has; `'noStream'` where it believes there is none. */
export type ExpectedRevision = Revision | 'noStream';

/** An event about to be appended. `id` is a UUID; `data` and `metadata` are plain JSON without bigint. */
export interface EventData {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** An event as the log holds it. */
export interface RecordedEvent extends EventData {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  /** The log's own clock, in whole milliseconds. */
  readonly recordedAt: Date;
}

/** The place of the last event of an append. */
export interface Appended {
  readonly revision: Revision;
  readonly position: Position;
}

/** Which events of a stream, and in which order; by default all of them, oldest first. */
export interface ReadOptions {
  /** Inclusive. By default the first revision forwards, the last one backwards. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  /** At most so many events; all by default. */
  readonly max?: number;
}

/** Consecutive events of the log; `caughtUp` is true when the log held no more at the time of reading. */
export interface Batch {
  readonly events: readonly RecordedEvent[];
  readonly caughtUp: boolean;
}

/** How a subscription is ended, and how much it gives at once. */
export interface SubscribeOptions {
  readonly signal: AbortSignal;
  /** The most events one batch holds; 1,000 by default. */
  readonly maxBatch?: number;
}

/**
 * The event log, in EventStoreDB's words. Implementations: EventStoreDB, PostgreSQL, and in memory for tests; one contract
 * suite, `test/event-store/contract.ts`, holds them to the same behaviour.
 */
export interface EventStore {
  /**
   * Appends all events or none. Refuses with `WrongExpectedVersion` when the stream is at another revision.
   * The same ids at the same expected revision again answer as the first time and append nothing.
   * Refuses with `InvalidAppend` what no retry can mend: no events, an id that is not a UUID or stands twice, an
   * empty type, data that is not JSON, more than `MAX_APPEND_BYTES`. Refuses with `StreamNotWhole` where the stream
   * was deleted for good.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventData[]): Promise<Appended>;

  /**
   * The events of a stream in the asked order; none for a stream that does not exist. Refuses with `StreamNotWhole`
   * where some of them are gone: nobody decides on a part.
   */
  readStream(stream: string, options?: ReadOptions): Promise<readonly RecordedEvent[]>;

  /**
   * Every event after `after` exactly once, in position order, history first, then live, in batches that the
   * consumer pulls. Resumes by itself after the server was away; ends only when `signal` is aborted. An empty
   * batch is given once when there is nothing to catch up with. `after` is the position of an event; rejects with
   * `PositionNotInLog` where the log does not hold that one, now or when the server is back.
   */
  subscribe(after: Position, options: SubscribeOptions): AsyncIterable<Batch>;

  /** The position of the last event; `START` in an empty log. */
  lastPosition(): Promise<Position>;

  /**
   * The position of the last event recorded at or before `time` by the log's clock made monotone (each event
   * counts as recorded no earlier than the one before it); `START` where there is none.
   */
  positionAt(time: Date): Promise<Position>;

  /** Resolves when the log answers, rejects when it does not within a second or two. */
  ping(): Promise<void>;

  /** Ends subscriptions and connections; waits for appends under way. */
  close(): Promise<void>;
}

/** The bytes of data and metadata, as UTF-8 JSON, that one append may hold. EventStoreDB's own limit. */
export const MAX_APPEND_BYTES = 1_048_576;

/** Another writer was first. `actual` is the revision the stream has. */
export class WrongExpectedVersion extends Error {
  override readonly name = 'WrongExpectedVersion';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`stream ${stream} is at ${actual}, expected ${expected}`);
  }
}

/** An append that can never succeed; nothing was sent. */
export class InvalidAppend extends Error {
  override readonly name: string = 'InvalidAppend';
}

/** An append that holds more than `MAX_APPEND_BYTES`: what was asked for has to be done in smaller pieces. */
export class AppendTooLarge extends InvalidAppend {
  constructor(bytes: number) {
    super(`the append holds ${bytes} bytes, at most ${MAX_APPEND_BYTES} fit`);
  }
}

/** The log no longer gives all of a stream: somebody deleted or truncated it there, which nothing here does. */
export class StreamNotWhole extends Error {
  override readonly name = 'StreamNotWhole';
  constructor(
    readonly stream: string,
    why: string,
    options?: ErrorOptions,
  ) {
    super(`stream ${stream} is not whole: ${why}`, options);
  }
}

/** What was followed up to here is not in the log: it was restored from an older back-up, or is another log. */
export class PositionNotInLog extends Error {
  override readonly name = 'PositionNotInLog';
  constructor(readonly position: Position) {
    super(`the log has no event at position ${position}, up to which it was followed`);
  }
}

/** The log did not answer in time; whether an append took place is unknown, the same ids may be tried again. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}
