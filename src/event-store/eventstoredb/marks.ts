import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import type { Position } from '../event-store.js';

/** A place in the log: an event's position, and the latest time in ms that any event up to there was recorded. */
export interface Mark {
  readonly position: Position;
  readonly time: number;
  /** Up to this position the log was read on, and no further event of ours was found. */
  readonly readTo: Position;
}

/** What is searched for: the last event up to a time in ms, or up to a position. */
export type Sought = Pick<Mark, 'time'> | Pick<Mark, 'position'>;

/** Tells whether a place is not beyond what is searched for. */
export const isWithin = (mark: Mark, sought: Sought): boolean =>
  'time' in sought ? mark.time <= sought.time : mark.position <= sought.position;

/** Places from which a search may begin, because EventStoreDB finds events by position only, and has no marks itself. */
export interface Marks {
  /** Returns the last mark that is within what is searched for. */
  last(sought: Sought): Promise<Mark | undefined>;
  /** Keeps a mark; may be called again with the same one, or with one of the same event that was read on from. */
  keep(mark: Mark): Promise<void>;
}

const MAX_MARKS = 4_096;

/**
 * Marks for as long as the process runs. Bounded: when there are too many, every second one goes and later ones stand
 * twice as far apart.
 */
export class MarksInMemory implements Marks {
  #marks: Mark[] = [];
  #stride = 1;
  #sinceLast = 0;

  last(sought: Sought): Promise<Mark | undefined> {
    return Promise.resolve(this.#marks.findLast((mark) => isWithin(mark, sought)));
  }

  keep(mark: Mark): Promise<void> {
    const last = this.#marks.at(-1);
    if (mark.position === last?.position) {
      if (mark.readTo > last.readTo) this.#marks.splice(-1, 1, mark);
      return Promise.resolve();
    }
    if (!last || mark.position > last.position) this.#sinceLast += 1;
    if (this.#sinceLast < this.#stride) return Promise.resolve();
    this.#sinceLast = 0;
    this.#marks.push(mark);
    if (this.#marks.length > MAX_MARKS) {
      this.#marks = this.#marks.filter((_, index) => index % 2 === 1);
      this.#stride *= 2;
    }
    return Promise.resolve();
  }
}

/** Marks in the table `cache.marks`, for all processes and for good: one for each few thousand events or few MiB. */
export class MarksInDatabase implements Marks {
  constructor(private readonly db: Queryable) {}

  async last(sought: Sought): Promise<Mark | undefined> {
    const [row] = await this.db.rows<{ position: string; recorded_at: Date; read_to: string | null }>(
      'time' in sought
        ? sql`select position::text, recorded_at, read_to::text from cache.marks
            where recorded_at <= ${new Date(sought.time)} order by recorded_at desc, position desc limit 1`
        : sql`select position::text, recorded_at, read_to::text from cache.marks
            where position <= ${sought.position.toString()}::int8 order by position desc limit 1`,
    );
    return (
      row && {
        position: BigInt(row.position),
        time: row.recorded_at.getTime(),
        readTo: BigInt(row.read_to ?? row.position),
      }
    );
  }

  async keep({ position, time, readTo }: Mark): Promise<void> {
    await this.db.rows(sql`
      insert into cache.marks as kept (position, recorded_at, read_to)
      values (${position.toString()}::int8, ${new Date(time)}, ${readTo.toString()}::int8)
      on conflict (position) do update set read_to = excluded.read_to
      where excluded.read_to > coalesce(kept.read_to, kept.position)`);
  }
}
