import type { JsonObject } from '../values/json.js';

/** The position of an event in the whole log. It grows with every event; gaps may exist (EventStoreDB counts bytes). */
export type Position = bigint;

/** Before the first event: `subscribe(START)` gives every event. Positions of events are greater. */
export const START: Position = -1n;

/** Returns the later of two positions. */
export const later = (one: Position, other: Position): Position => (one > other ? one : other);

/** The number of an event in its stream, from 0. */
export type Revision = number;

/** The revision that the writer expects the stream to have; `'noStream'` if it expects that there is none. */
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

/** Revision and position of the last event of an append. */
export interface Appended {
  readonly revision: Revision;
  readonly position: Position;
}

/** Which events of a stream, and in which order; by default all of them, oldest first. */
export interface ReadOptions {
  /** Inclusive. By default the first revision forwards, the last one backwards. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  /** The maximum number of events; all by default. */
  readonly max?: number;
}

/** Consecutive events of the log. `caughtUp` is true if the log held no more when they were read. */
export interface Batch {
  readonly events: readonly RecordedEvent[];
  readonly caughtUp: boolean;
}

/** The signal that ends a subscription, and the size of its batches. */
export interface SubscribeOptions {
  readonly signal: AbortSignal;
  /** The maximum number of events in a batch; 1,000 by default. */
  readonly maxBatch?: number;
}

/**
 * The event log, in EventStoreDB's terms. Implementations: EventStoreDB, PostgreSQL, and in memory for tests; one contract
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
   * Returns the events of a stream in the requested order; none for a stream that does not exist. Rejects with
   * `StreamNotWhole` if some of them are missing, so that no decision is based on a part of them.
   */
  readStream(stream: string, options?: ReadOptions): Promise<readonly RecordedEvent[]>;

  /**
   * Yields every event after `after` exactly once, in position order, first those in the log, then new ones, in batches
   * that the consumer pulls. Resumes by itself after an outage of the server; ends only when `signal` is aborted. Yields one
   * empty batch if there is nothing to catch up with. `after` is the position of an event; rejects with
   * `PositionNotInLog` if the log does not hold that event, now or after an outage.
   */
  subscribe(after: Position, options: SubscribeOptions): AsyncIterable<Batch>;

  /** Returns the position of the last event; `START` in an empty log. */
  lastPosition(): Promise<Position>;

  /**
   * Returns the position of the last event recorded at or before `time` by the log's clock made monotone (each event
   * counts as recorded no earlier than the one before it); `START` if there is none.
   */
  positionAt(time: Date): Promise<Position>;

  /** Returns when the last event at or before `position` was recorded, by that clock; 1970 if there is none. */
  timeAt(position: Position): Promise<Date>;

  /** Resolves when the log answers, rejects when it does not within a second or two. */
  ping(): Promise<void>;

  /** Ends subscriptions and connections; waits for appends under way. */
  close(): Promise<void>;
}

/**
 * The maximum size of an append: bytes of data and metadata as UTF-8 JSON, and two for each character of the types.
 * EventStoreDB's own limit, as it counts from 24.10.4 on; before, it counted less.
 */
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

/** An append exceeds `MAX_APPEND_BYTES`; the request has to be split into smaller ones. */
export class AppendTooLarge extends InvalidAppend {
  constructor(bytes: number) {
    super(`the append holds ${bytes} bytes, at most ${MAX_APPEND_BYTES} fit`);
  }
}

/** A stream is incomplete, because somebody deleted or truncated it in the log, which this product never does. */
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

/** The log does not hold the event at this position: it was restored from an older back-up, or is another log. */
export class PositionNotInLog extends Error {
  override readonly name = 'PositionNotInLog';
  constructor(readonly position: Position) {
    super(`the log has no event at position ${position}, up to which it was followed`);
  }
}

/** The log did not answer in time. It is unknown whether an append took place; it may be retried with the same ids. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}
