import type { Batch, Position } from '../event-store.js';
import type { Connection } from './connection.js';
import { positionOf, readingLastPosition, readingPage, toEvent, type PageRow } from './statements.js';
import type { WakeUps } from './wake-ups.js';

/** What the log held behind a position. */
export interface Page extends Batch {
  /** How many wake-ups there had been before it was read. */
  readonly wakeUps: number;
}

const MAX_BYTES = 4 * 1_048_576;

/**
 * Pages of the log, for all subscriptions of a store: a page that several ask for in one turn of the event loop is read
 * once. Whoever is woken while it is read asks again, maybe within that turn, and must not be given the page of before: so a
 * page is shared only while there was no wake-up in between.
 */
export class Pages {
  readonly #asked = new Map<string, Promise<Page>>();

  constructor(
    private readonly connection: Pick<Connection, 'query'>,
    private readonly wakeUps: WakeUps,
  ) {}

  /** The next events, `maxEvents` or 4 MiB at most. Rejects with `EventStoreUnavailable` where the server does not answer. */
  after(position: Position, maxEvents: number): Promise<Page> {
    const key = `${position} ${maxEvents} ${this.wakeUps.count}`;
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const page = this.#read(position, maxEvents);
    this.#asked.set(key, page);
    setImmediate(() => this.#asked.delete(key));
    return page;
  }

  /** The position of the last event. */
  async end(): Promise<Position> {
    return positionOf(await this.connection.query(readingLastPosition()));
  }

  async #read(position: Position, maxEvents: number): Promise<Page> {
    const wakeUps = this.wakeUps.count;
    const rows = await this.connection.query<PageRow>(readingPage(position, maxEvents, MAX_BYTES));
    const bytes = Number(rows.at(-1)?.[8] ?? 0);
    return { events: rows.map(toEvent), caughtUp: rows.length < maxEvents && bytes < MAX_BYTES, wakeUps };
  }
}
