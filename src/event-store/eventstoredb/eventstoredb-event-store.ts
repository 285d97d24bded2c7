import { BACKWARDS, END, NO_STREAM, START as FROM_START } from '@eventstore/db-client';
import { Slots } from '../../concurrency/slots.js';
import {
  EventStoreUnavailable,
  StreamNotWhole,
  type Appended,
  type Batch,
  type EventData,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type PositionNotInLog,
  type ReadOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../event-store.js';
import { ShownEvents } from '../shown-events.js';
import { validateAppend } from '../validate.js';
import type { BackOff } from '../back-off.js';
import { FROM_LEADER, positionOf, toMessage, toRecordedEvent, type Message } from './client.js';
import { Connection } from './connection.js';
import { isStreamNotFound, NoAnswer, toRefusal, toReadRefusal, unanswered } from './errors.js';
import { Feed } from './feed.js';
import { MarksInMemory, type Marks } from './marks.js';
import { Positions } from './positions.js';
import { answeredWithin, collect } from './silence.js';
import { checkWhole } from './whole.js';

/** Where the server is, which streams are ours, and the timeouts and retries. */
export interface EventStoreDbOptions {
  /** `esdb://…`; credentials belong here. */
  readonly url: string;
  /** The categories that are ours: streams `category-…`. Events of other streams are neither delivered nor counted. */
  readonly categories: readonly string[];
  /** From where moments are searched for; in memory by default. */
  readonly marks?: Marks;
  /** Called with the error of every interruption of a subscription, which then resumes. Must not throw. */
  readonly onError?: (error: unknown) => void;
  /**
   * Called once if the log has lost events that this store has returned, as by an older back-up that was put back. It is
   * seen by the first append that comes to stand before them; nothing is appended after it, and `ping` rejects.
   */
  readonly onLogLost?: (error: PositionNotInLog) => void;
  /** How long one attempt of a call may stay without an answer, in milliseconds; 4,000 by default. */
  readonly timeLimit?: number;
  /** How often an append or a read is tried; 3 times by default. */
  readonly attempts?: number;
  readonly backOff?: BackOff;
}

const PING_LIMIT_MS = 1_500;

// The client's shared stream takes 16 messages before it asks to wait. Those that wait when a connection is lost
// are rejected where nobody can catch it, which ends the process.
const APPENDS_IN_FLIGHT = 15;

// Sent as a moment by our clock. A server whose clock is past it refuses the append at once: with the client's own 10
// seconds, every append of an api that is so far behind. Both sides have time limits of their own.
const APPEND_DEADLINE_MS = 24 * 3_600_000;

/**
 * The event log in EventStoreDB. Positions are the server's commit positions. Works around what client 6.2.1 does
 * wrong: see each place; `test/event-store/eventstoredb` shows it.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly #options: Required<EventStoreDbOptions>;
  readonly #prefixes: readonly string[];
  readonly #connection: Connection;
  readonly #positions: Positions;
  readonly #feeds = new Set<Feed>();
  readonly #slots = new Slots(APPENDS_IN_FLIGHT);
  readonly #appends = new Set<Promise<unknown>>();
  readonly #shown: ShownEvents;
  #closing = false;

  constructor(options: EventStoreDbOptions) {
    this.#options = {
      timeLimit: 4_000,
      attempts: 3,
      backOff: { first: 50, most: 5_000 },
      marks: new MarksInMemory(),
      onError: () => undefined,
      onLogLost: () => undefined,
      ...options,
    };
    const { url, backOff, attempts, timeLimit, marks } = this.#options;
    this.#prefixes = options.categories.map((category) => `${category}-`);
    this.#shown = new ShownEvents(this.#options.onLogLost);
    this.#connection = new Connection(url, backOff);
    this.#positions = new Positions({
      connection: this.#connection,
      prefixes: this.#prefixes,
      attempts,
      timeLimit,
      marks,
    });
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly EventData[]): Promise<Appended> {
    // An event that the client cannot send would leave this append, or every later one, without an answer.
    validateAppend(stream, events);
    const messages = events.map(toMessage);
    if (this.#closing) throw new EventStoreUnavailable('the event store is closed');
    this.#shown.refuseLost();
    const appending = this.#sendAfterShown(stream, expected, messages);
    this.#appends.add(appending);
    try {
      return await appending;
    } finally {
      this.#appends.delete(appending);
    }
  }

  /** Sends an append. Rejects if it took place in a log without the events that were shown before. */
  async #sendAfterShown(stream: string, expected: ExpectedRevision, messages: Message[]): Promise<Appended> {
    const { position: shown } = this.#shown.furthest;
    const appended = await this.#send(stream, expected, messages);
    // A repeated append may stand before them too, where it took place at first.
    if (appended.position < shown && !(await this.#positions.holds(shown))) this.#shown.lose(shown);
    this.#shown.add(appended);
    return appended;
  }

  // Without credentials of its own: those would cost the fast path, on which all appends share one call.
  async #send(stream: string, expected: ExpectedRevision, messages: Message[]): Promise<Appended> {
    const { attempts, timeLimit } = this.#options;
    const expectedRevision = expected === 'noStream' ? NO_STREAM : BigInt(expected);
    const giveBack = await this.#takeSlot(attempts * timeLimit);
    try {
      const { nextExpectedRevision, position } = await this.#connection.run(attempts, (client) =>
        answeredWithin(
          timeLimit,
          client.appendToStream(stream, messages, { expectedRevision, deadline: APPEND_DEADLINE_MS }),
        ),
      );
      if (!position) throw new EventStoreUnavailable('the server gave no position');
      return { revision: Number(nextExpectedRevision), position: position.commit };
    } catch (error) {
      throw toRefusal(error, stream, expected);
    } finally {
      giveBack();
    }
  }

  async #takeSlot(waitMs: number): Promise<() => void> {
    const patience = new AbortController();
    const timer = setTimeout(() => {
      patience.abort(
        new EventStoreUnavailable(`too many appends wait for an answer: gave up after ${waitMs} ms`),
      );
    }, waitMs);
    try {
      return await this.#slots.take(patience.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async readStream(stream: string, options: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    if (options.max !== undefined && options.max <= 0) return [];
    try {
      const events = await this.#read(stream, options);
      checkWhole(stream, events, options);
      for (const end of [events.at(0), events.at(-1)]) if (end) this.#shown.add({ position: end.position });
      return events;
    } catch (error) {
      if (!isStreamNotFound(error)) throw toReadRefusal(error, stream);
      await this.#checkNeverDeleted(stream);
      return [];
    }
  }

  async #read(stream: string, options: ReadOptions): Promise<readonly RecordedEvent[]> {
    const { from, direction = 'forwards', max = Number.MAX_SAFE_INTEGER } = options;
    // Without a revision the client reads backwards from the start.
    const edge = direction === 'backwards' ? END : FROM_START;
    const fromRevision = from === undefined ? edge : BigInt(from);
    const { attempts, timeLimit } = this.#options;
    return this.#connection.read(attempts, (client) =>
      collect(
        timeLimit,
        client.readStream(stream, { direction, fromRevision, maxCount: max, ...FROM_LEADER }),
        toRecordedEvent,
      ),
    );
  }

  // Such a stream reads as one that never was, and the next append goes on numbering: its metadata tell.
  async #checkNeverDeleted(stream: string): Promise<void> {
    try {
      const [metadata] = await this.#read(`$$${stream}`, { direction: 'backwards', max: 1 });
      if (metadata?.data.$tb !== undefined) throw new StreamNotWhole(stream, 'it was deleted');
    } catch (error) {
      if (!isStreamNotFound(error)) throw error;
    }
  }

  async *subscribe(after: Position, { signal, maxBatch = 1_000 }: SubscribeOptions): AsyncGenerator<Batch> {
    if (signal.aborted || this.#closing) return;
    const { url, timeLimit, backOff, onError } = this.#options;
    const feed = new Feed({
      url,
      prefixes: this.#prefixes,
      after,
      maxBatch,
      timeLimit,
      backOff,
      holds: (position) => this.#positions.holds(position),
      last: () => this.#positions.last(),
      onError,
    });
    const end = () => void feed.close().finally(() => this.#feeds.delete(feed));
    this.#feeds.add(feed);
    signal.addEventListener('abort', end);
    try {
      yield* feed.batches();
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  async lastPosition(): Promise<Position> {
    const last = await this.#positions.last();
    this.#shown.add({ position: last });
    return last;
  }

  positionAt(time: Date): Promise<Position> {
    return this.#positions.at(time);
  }

  timeAt(position: Position): Promise<Date> {
    return this.#positions.timeAt(position);
  }

  async ping(): Promise<void> {
    this.#shown.refuseLost();
    const { timeLimit } = this.#options;
    // The read keeps the time limit of every other one: to give it up is to give up the appends under way with it.
    const read = this.#connection.read(1, (client) =>
      collect(
        timeLimit,
        client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, ...FROM_LEADER }),
        positionOf,
      ),
    );
    try {
      await answeredWithin(Math.min(PING_LIMIT_MS, timeLimit), read);
    } catch (error) {
      throw error instanceof NoAnswer ? unanswered(error) : error;
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#feeds].map((feed) => feed.close()));
    await Promise.allSettled(this.#appends);
    await this.#connection.close();
  }
}
