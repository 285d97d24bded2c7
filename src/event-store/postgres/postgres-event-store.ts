import type pg from 'pg';
import { within } from '../../concurrency/within.js';
import { hasSqlState, SQL_STATE } from '../../database/sql-states.js';
import {
  EventStoreUnavailable,
  InvalidAppend,
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
import { appendGroup } from './append-group.js';
import { Connection } from './connection.js';
import { GroupCommit, type PendingAppend } from './group-commit.js';
import { Pages } from './pages.js';
import {
  asking,
  positionOf,
  readingEvent,
  readingLastEvent,
  readingPositionAt,
  readingStream,
  readingTimeAt,
  toEvent,
  type EventRow,
  type LastEventRow,
} from './statements.js';
import { readEnd } from './stream-ends.js';
import { subscription } from './subscription.js';
import { WakeUps } from './wake-ups.js';

/** The database that holds the log, the time limits, and the callbacks. */
export interface PostgresEventStoreOptions {
  /** The database in which `migrations/events` has run. */
  readonly url: string;
  /**
   * For how long an append or a read is retried, in ms, before it fails with `EventStoreUnavailable`; 10,000 by default. An
   * append waits no longer than that for its turn.
   */
  readonly timeLimit?: number;
  /**
   * How long subscriptions wait between two reads while events come without a pause, in ms, so that each read gets many:
   * for subscribers that nobody waits for. An event after a pause is read at once, and so is every event by default.
   */
  readonly lookEveryMs?: number;
  /**
   * Called with the error that broke a connection, and each time that a subscription got no answer within the time limit:
   * the store connects and asks again by itself.
   */
  readonly onError?: (error: Error) => void;
  /**
   * Called once if the log has lost events that this store has returned, as by a fail-over to a server that was behind.
   * Whatever was derived from them is wrong now, so nothing is appended any more, and `ping` rejects.
   */
  readonly onLogLost?: (error: PositionNotInLog) => void;
  /** Called after each group of appends was answered. */
  readonly onGroupCommit?: (appends: number, events: number) => void;
}

const TIME_LIMIT = 10_000;
const PING_LIMIT = 1_500;

/**
 * The event log in PostgreSQL. Three connections at most: one appends, one reads streams, one, opened with the
 * first subscription, listens and reads pages for all subscriptions. Positions start at 1 and have no gaps.
 */
export class PostgresEventStore implements EventStore {
  readonly #appends: Connection;
  readonly #reads: Connection;
  readonly #listening: Connection;
  readonly #wakeUps: WakeUps;
  readonly #pages: Pages;
  readonly #commits = new GroupCommit((group) => this.#commit(group));
  readonly #closing = new AbortController();
  readonly #timeLimit: number;
  readonly #onError: (error: Error) => void;
  readonly #shown: ShownEvents;

  constructor(private readonly options: PostgresEventStoreOptions) {
    const { url, timeLimit = TIME_LIMIT, onError = () => undefined } = options;
    this.#shown = new ShownEvents(options.onLogLost);
    const connection = { url, timeLimit, onError };
    this.#appends = new Connection({
      ...connection,
      applicationName: 'tallyforge-append',
      onConnect: (client) => this.#confirmShown(client),
    });
    this.#reads = new Connection({ ...connection, applicationName: 'tallyforge-read' });
    this.#wakeUps = new WakeUps(options.lookEveryMs);
    this.#listening = new Connection({
      ...connection,
      applicationName: 'tallyforge-subscribe',
      onConnect: (client) => this.#wakeUps.listenOn(client),
    });
    this.#pages = new Pages(this.#listening, this.#wakeUps);
    this.#timeLimit = timeLimit;
    this.#onError = onError;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly EventData[]): Promise<Appended> {
    if (this.#closing.signal.aborted) throw new EventStoreUnavailable('the event store is closed');
    const serialised = validateAppend(stream, events);
    const appended = await new Promise<Appended>((resolve, reject) => {
      this.#commits.add({ stream, expected, events: serialised, since: performance.now(), resolve, reject });
    });
    this.#shown.add({ position: appended.position, id: events.at(-1)?.id ?? '' });
    return appended;
  }

  async readStream(stream: string, options: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    const rows =
      (await readEnd(this.#reads, stream, options)) ??
      (await this.#reads.query<EventRow>(readingStream(stream, options)));
    const events = rows.map(toEvent);
    for (const end of [events.at(0), events.at(-1)])
      if (end) this.#shown.add({ position: end.position, id: end.id });
    return events;
  }

  subscribe(after: Position, { signal, maxBatch = 1000 }: SubscribeOptions): AsyncIterable<Batch> {
    return subscription({
      pages: this.#pages,
      wakeUps: this.#wakeUps,
      after,
      maxBatch,
      signal: AbortSignal.any([signal, this.#closing.signal]),
      onError: this.#onError,
    });
  }

  async lastPosition(): Promise<Position> {
    const rows = await this.#reads.query<LastEventRow>(readingLastEvent());
    const position = positionOf(rows);
    if (rows[0]) this.#shown.add({ position, id: rows[0][1] });
    return position;
  }

  async positionAt(time: Date): Promise<Position> {
    return positionOf(await this.#reads.query(readingPositionAt(time)));
  }

  async timeAt(position: Position): Promise<Date> {
    const [row] = await this.#reads.query(readingTimeAt(position));
    return new Date(Number(row?.[0] ?? 0));
  }

  async ping(): Promise<void> {
    this.#shown.refuseLost();
    // A time limit of the query itself would break the connection, and the reads before it would fail as well.
    await within(
      PING_LIMIT,
      this.#reads.query(asking()),
      () => new EventStoreUnavailable(`PostgreSQL did not answer within ${PING_LIMIT} ms`),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#commits.idle();
    await Promise.all([this.#appends.close(), this.#reads.close(), this.#listening.close()]);
  }

  /** Rejects if a new connection leads to a server that does not hold all events that were returned. */
  async #confirmShown(client: pg.Client): Promise<void> {
    this.#shown.refuseLost();
    const { position, id } = this.#shown.furthest;
    if (id === undefined) return; // nothing was returned
    const { text, values } = readingEvent(position, id);
    const [recovery, held] = await Promise.all([
      client.query<{ lasts: boolean }>('select pg_is_in_recovery() as lasts'),
      client.query(text, [...values]),
    ]);
    this.#shown.refuseLost();
    if (held.rows.length === 0) {
      if (recovery.rows[0]?.lasts) throw new Error('the server is behind, and yet to be promoted');
      this.#shown.lose(position);
    }
  }

  /** Answers every append of the group. One that PostgreSQL cannot take fails alone: the others are tried without it. */
  async #commit(gathered: readonly PendingAppend[]): Promise<void> {
    const tooLate = performance.now() - this.#timeLimit;
    const group = gathered.filter(({ since }) => since > tooLate);
    for (const append of gathered) {
      if (append.since <= tooLate)
        append.reject(new EventStoreUnavailable('PostgreSQL is too slow; nothing was sent'));
    }
    if (group.length === 0) return;
    try {
      await appendGroup(this.#appends, group);
      this.options.onGroupCommit?.(
        group.length,
        group.reduce((sum, { events }) => sum + events.length, 0),
      );
    } catch (error) {
      if (group.length === 1 || error instanceof EventStoreUnavailable) {
        for (const append of group) append.reject(refusal(error));
      } else {
        for (const append of group) await this.#commit([append]);
      }
    }
  }
}

/** Converts errors of wrong data (an id that is used elsewhere, too deep nesting), which a retry would give again. */
function refusal(error: unknown): unknown {
  const { wrongData, violation, limitExceeded } = SQL_STATE;
  return hasSqlState(error, wrongData, violation, limitExceeded)
    ? new InvalidAppend(error.message, { cause: error })
    : error;
}
