import { nameOf, sql, type Statement } from '../../database/sql.js';
import { START, type Position, type ReadOptions, type RecordedEvent, type Revision } from '../event-store.js';
import { plainArray, textArray } from './arrays.js';

/** A row of the log: the texts of `columns`, in their order. */
export type EventRow = readonly [
  position: string,
  stream: string,
  revision: string,
  id: string,
  type: string,
  data: string,
  metadata: string,
  recordedMs: string,
];

/** A row of the log, with the bytes of data and metadata in its page up to and including this event. */
export type PageRow = readonly [...EventRow, bytes: string];

/** The last event of the log. */
export type LastEventRow = readonly [position: string, id: string];

/** A row of the log, with the number, from 1, of the end that was asked for. */
export type EndRow = readonly [...EventRow, nth: string];

const columns = `position, stream, revision, id, type, data, metadata, date_part('epoch', recorded_at) * 1000`;

const forwards = prepared(
  `select ${columns} from events.log where stream = $1 and revision >= $2 order by revision limit $3`,
);
const backwards = prepared(
  `select ${columns} from events.log where stream = $1 and revision <= $2 order by revision desc limit $3`,
);
const ends = prepared(`
  select e.*, nth from unnest($1::text[], $2::int8[]) with ordinality as asked (stream, start, nth)
  cross join lateral (
    select ${columns} from events.log l where l.stream = asked.stream and revision >= start order by revision limit $3
  ) e
  order by nth, e.revision`);
// Sizes are summed before any data is fetched, so that a page of large events is never built.
const page = prepared(`
  select ${columns}, total from (
    select *, sum(bytes) over (order by position rows unbounded preceding) as total
    from (select * from events.log where position > $1 order by position limit $2) candidates
  ) summed
  where total - bytes < $3 order by position`);
const timeAt = prepared(
  `select date_part('epoch', recorded_at) * 1000 from events.log where position <= $1 order by position desc limit 1`,
);

/** Returns the statement that reads events of a stream in the requested order, as `EventRow`s. */
export const readingStream = (stream: string, { from, direction, max }: ReadOptions): Statement =>
  direction === 'backwards'
    ? backwards(stream, from ?? Number.MAX_SAFE_INTEGER, max ?? null)
    : forwards(stream, from ?? 0, max ?? null);

/** The revision from which on a stream is read. */
export interface StreamEnd {
  readonly stream: string;
  readonly from: Revision;
}

/** Returns the statement that reads at most `max` events of each of these ends, forwards, as `EndRow`s. */
export const readingEnds = (asked: readonly StreamEnd[], max: number): Statement =>
  ends(textArray(asked.map(({ stream }) => stream)), plainArray(asked.map(({ from }) => from)), max);

/** Returns the statement for at most `maxEvents` events after a position, ending with the one that reaches `maxBytes`. */
export const readingPage = (after: Position, maxEvents: number, maxBytes: number): Statement =>
  page(after.toString(), maxEvents, maxBytes);

/** Returns the statement for the last event: no row while the log is empty. */
export const readingLastEvent = () =>
  sql`select position, id from events.head join events.log using (position)`;

/** Returns the statement that tells whether the log has this very event: one row if it does. */
export const readingEvent = (position: Position, id: string) => sql`
  select l.position from events.log l join events.head h on l.position <= h.position
  where l.position = ${position.toString()} and l.id = ${id}`;

/** Returns the statement for the position of the last event recorded at or before `time`: one row, null if there is none. */
export const readingPositionAt = (time: Date) => sql`select events.position_at(${time.toISOString()})`;

/** Returns the position in the row that one of these statements gives; `START` if there is none. */
export const positionOf = ([row]: readonly (readonly (string | null)[])[]): Position =>
  BigInt(row?.[0] ?? START);

/** Returns the statement for the time of the last event up to a position, in ms since 1970: no row if there is none. */
export const readingTimeAt = (position: Position) => timeAt(position.toString());

/** Returns the statement that `ping` sends; it needs no table. */
export const asking = () => sql`select 1`;

/** Converts a row to an event of the port. Throws if its JSON is damaged. */
export function toEvent(row: EventRow | PageRow | EndRow): RecordedEvent {
  const [position, stream, revision, id, type, data, metadata, recordedMs] = row;
  return {
    id,
    type,
    data: JSON.parse(data) as RecordedEvent['data'],
    metadata: JSON.parse(metadata) as RecordedEvent['metadata'],
    stream,
    revision: Number(revision),
    position: BigInt(position),
    recordedAt: new Date(Math.round(Number(recordedMs))),
  };
}

function prepared(text: string): (...values: readonly unknown[]) => Statement {
  const name = nameOf(text);
  return (...values) => ({ name, text, values });
}
