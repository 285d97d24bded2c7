import {
  BACKWARDS,
  END,
  FORWARDS,
  START as FROM_START,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { START, type Position } from '../event-store.js';
import {
  createdOf,
  FROM_LEADER,
  isTombstone,
  positionOf,
  streamOf,
  toClientPosition,
  type Resolved,
} from './client.js';
import type { Connection } from './connection.js';
import { isNoRecord } from './errors.js';
import { collect } from './silence.js';
import { isWithin, type Mark, type Marks, type Sought } from './marks.js';

/**
 * The position to subscribe after at a client's node, so that it gives every event after `position`; it may give earlier
 * ones, too. A node begins behind the first event that it has from a position on: where a scavenge, which each does by
 * itself, has removed the one that stood there, that would be one to be given.
 */
export async function beginningAfter(
  client: EventStoreDBClient,
  position: Position,
  timeLimit: number,
  requiresLeader: boolean,
): Promise<Position> {
  const fromPosition = toClientPosition(position);
  const read = (direction: typeof FORWARDS | typeof BACKWARDS) =>
    collect(timeLimit, client.readAll({ direction, fromPosition, maxCount: 1, requiresLeader }), positionOf);
  const [following = position] = await read(FORWARDS);
  if (following === position) return position;
  const [before = START] = await read(BACKWARDS);
  return before;
}

const BEGINNING: Mark = { position: START, time: 0, readTo: START };
const FIRST_PAGE = 16;
const MAX_PAGE = 4_096;

/** How far the events of a page may stand apart in the log, which bounds their bytes: there, positions count bytes. */
const MAX_SPAN = 8n * 1_048_576n;

/** What is kept of an event that was read; not its data, for which there is no bound. */
interface Place {
  readonly position: Position;
  /** When it was recorded, in ms. */
  readonly time: number;
  readonly isOurs: boolean;
}

/** Tells whether a page is long enough in bytes, however few its events. */
function isWide(page: readonly Place[]): boolean {
  const [first, last] = [page.at(0), page.at(-1)];
  if (!first || !last) return false;
  const span = last.position - first.position;
  return span >= MAX_SPAN || -span >= MAX_SPAN;
}

/** Tells whether there may be more in the log behind a page for which so many events were asked. */
const isFull = (page: readonly Place[], size: number) => page.length >= size || isWide(page);

/** How all events are read. `prefixes` begin our streams' names; `timeLimit` is for one attempt, in milliseconds. */
export interface PositionsOptions {
  readonly marks: Marks;
  readonly connection: Connection;
  readonly prefixes: readonly string[];
  readonly attempts: number;
  readonly timeLimit: number;
}

/** Finds places among all events. Reads of all events cannot be filtered: foreign ones are skipped here. */
export class Positions {
  /** The newest event of anyone that was seen, and the last of ours up to it. */
  #seen: { readonly end: Position; readonly last: Position } = { end: START, last: START };

  constructor(private readonly options: PositionsOptions) {}

  /** Reads backwards to the first event of ours, or to where the last search began. */
  async last(): Promise<Position> {
    let end: Position | undefined;
    for await (const page of this.#backwards()) {
      end ??= page[0]?.position;
      const ours = page.find(({ isOurs }) => isOurs);
      const oldest = page.at(-1);
      if (ours) return this.#remember(end, ours.position);
      if (oldest && oldest.position <= this.#seen.end) break;
    }
    return this.#remember(end, this.#seen.last);
  }

  /** Returns the position of our last event up to a time; `START` if there is none. */
  async at(time: Date): Promise<Position> {
    return (await this.#lastWithin({ time: Math.max(time.getTime(), BEGINNING.time) })).position;
  }

  /** Returns the time of our last event up to a position. */
  async timeAt(position: Position): Promise<Date> {
    return new Date((await this.#lastWithin({ position })).time);
  }

  /**
   * Reads forwards from the nearest mark, and keeps one after each page but the last, also after one of others' events
   * only. So each part of the log is read once, at 20,000 events a second or so, and of what was read before a page or two:
   * a few thousand events or a few MiB.
   */
  async #lastWithin(sought: Sought): Promise<Mark> {
    const { marks } = this.options;
    let last = (await marks.last(sought)) ?? BEGINNING;
    let kept = last;
    for await (const page of this.#forwards(last.readTo)) {
      if (last !== kept) await marks.keep((kept = last));
      for (const { position, time, isOurs } of page) {
        if (!isOurs) continue;
        const next = { position, time: Math.max(last.time, time), readTo: position };
        if (!isWithin(next, sought)) return last;
        last = next;
      }
      const newest = page.at(-1);
      if (newest) last = { ...last, readTo: newest.position };
    }
    return last;
  }

  /** Whether the log holds the event that was at a position, or scavenged it. */
  async holds(position: Position): Promise<boolean> {
    const { connection, attempts, timeLimit } = this.options;
    const following = await connection.read(attempts, async (client) => {
      const fromPosition = toClientPosition(position);
      const read = client.readAll({ direction: FORWARDS, fromPosition, maxCount: 1, ...FROM_LEADER });
      try {
        return await collect(timeLimit, read, positionOf);
      } catch (error) {
        if (isNoRecord(error)) return undefined;
        throw error;
      }
    });
    const [newest] = await this.#page(BACKWARDS, END, 1);
    return following !== undefined && newest !== undefined && newest.position >= position;
  }

  #remember(end: Position | undefined, last: Position): Position {
    if (end !== undefined && end >= this.#seen.end) this.#seen = { end, last };
    return last;
  }

  async *#backwards(): AsyncGenerator<readonly Place[]> {
    let from: Position | undefined;
    for (let size = FIRST_PAGE; ; size = Math.min(size * 4, MAX_PAGE)) {
      const page = await this.#page(BACKWARDS, from === undefined ? END : toClientPosition(from), size);
      yield page;
      const oldest = page.at(-1);
      if (!oldest || !isFull(page, size)) return;
      from = oldest.position;
    }
  }

  /** All events after a position. */
  async *#forwards(after: Position): AsyncGenerator<readonly Place[]> {
    for (let from = after; ;) {
      const page = await this.#page(FORWARDS, from === START ? FROM_START : toClientPosition(from), MAX_PAGE);
      const first = page[0];
      yield first?.position === from ? page.slice(1) : page;
      const newest = page.at(-1);
      if (!newest || !isFull(page, MAX_PAGE)) return;
      from = newest.position;
    }
  }

  #page(
    direction: typeof FORWARDS | typeof BACKWARDS,
    fromPosition: ReturnType<typeof toClientPosition> | typeof END | typeof FROM_START,
    maxCount: number,
  ): Promise<readonly Place[]> {
    const { connection, attempts, timeLimit } = this.options;
    return connection.read(attempts, (client) =>
      collect(
        timeLimit,
        client.readAll({ direction, fromPosition, maxCount, ...FROM_LEADER }),
        (event) => this.#placeOf(event),
        isWide,
      ),
    );
  }

  #placeOf(event: Resolved): Place {
    const stream = streamOf(event);
    return {
      position: positionOf(event),
      time: createdOf(event).getTime(),
      isOurs: !isTombstone(event) && this.options.prefixes.some((prefix) => stream.startsWith(prefix)),
    };
  }
}
