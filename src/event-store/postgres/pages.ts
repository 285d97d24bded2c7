import type { Batch, Position } from '../event-store.js';
import type { ShownEvent } from '../shown-events.js';
import type { Connection } from './connection.js';
import {
  positionOf,
  readingEvent,
  readingLastEvent,
  readingPage,
  toEvent,
  type PageRow,
} from './statements.js';
import type { WakeUps } from './wake-ups.js';

/** The events of the log after a position, as far as one read goes. */
export interface Page extends Batch {
  /** The number of wake-ups before it was read. */
  readonly wakeUps: number;
  /** The number of connections before it was read, and after: it came over one of these. */
  readonly connections: number;
  readonly connectionsAfter: number;
}

const MAX_BYTES = 4 * 1_048_576;

/**
 * Reads pages of the log for all subscriptions of a store. A page that several subscriptions request in one turn of the
 * event loop is read once. A subscription that is woken meanwhile requests its page again, maybe in the same turn, and must
 * not get the older one, so a page is shared only by requests without a wake-up between them.
 */
export class Pages {
  readonly #asked = new Map<string, Promise<Page>>();

  constructor(
    private readonly connection: Pick<Connection, 'query'>,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Reads the next events, `maxEvents` or 4 MiB at most. Rejects with `EventStoreUnavailable` without an answer. */
  after(position: Position, maxEvents: number): Promise<Page> {
    const key = `${position} ${maxEvents} ${this.wakeUps.count}`;
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const page = this.#read(position, maxEvents);
    this.#asked.set(key, page);
    setImmediate(() => this.#asked.delete(key));
    return page;
  }

  /** Tells whether the log has an event at a position, or this very event. */
  async hold({ position, id }: ShownEvent): Promise<boolean> {
    if (id === undefined) return positionOf(await this.connection.query(readingLastEvent())) >= position;
    return (await this.connection.query(readingEvent(position, id))).length > 0;
  }

  async #read(position: Position, maxEvents: number): Promise<Page> {
    const { count: wakeUps, connections } = this.wakeUps;
    const rows = await this.connection.query<PageRow>(readingPage(position, maxEvents, MAX_BYTES));
    const bytes = Number(rows.at(-1)?.[8] ?? 0);
    const caughtUp = rows.length < maxEvents && bytes < MAX_BYTES;
    const { connections: connectionsAfter } = this.wakeUps;
    return { events: rows.map(toEvent), caughtUp, wakeUps, connections, connectionsAfter };
  }
}
