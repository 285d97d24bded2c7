import { nameOf, sql, type Statement } from '../../database/sql.js';
import { START, type Position, type ReadOptions, type RecordedEvent } from '../event-store.js';

/** The text of `columns`, in their order. */
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

/** An event, and the bytes of data and metadata of its page up to and with it. */
export type PageRow = readonly [...EventRow, bytes: string];

const columns = `position, stream, revision, id, type, data, metadata, date_part('epoch', recorded_at) * 1000`;

const forwards = prepared(
  `select ${columns} from events.log where stream = $1 and revision >= $2 order by revision limit $3`,
);
const backwards = prepared(
  `select ${columns} from events.log where stream = $1 and revision <= $2 order by revision desc limit $3`,
);
// Sizes are summed before any data is fetched, so that a page of large events is never built.
const page = prepared(`
  select ${columns}, total from (
    select *, sum(bytes) over (order by position rows unbounded preceding) as total
    from (select * from events.log where position > $1 order by position limit $2) candidates
  ) summed
  where total - bytes < $3 order by position`);

/** The events of a stream, in the asked order. Gives `EventRow`s. */
export const readingStream = (stream: string, { from, direction, max }: ReadOptions): Statement =>
  direction === 'backwards'
    ? backwards(stream, from ?? Number.MAX_SAFE_INTEGER, max ?? null)
    : forwards(stream, from ?? 0, max ?? null);

/** At most `maxEvents` events after a position, ending with the one that reaches `maxBytes`. */
export const readingPage = (after: Position, maxEvents: number, maxBytes: number): Statement =>
  page(after.toString(), maxEvents, maxBytes);

/** One row of the last position; of null while the log is empty. */
export const readingLastPosition = () => sql`select nullif(position, 0) from events.head`;

/** One row of the position of the last event recorded at or before `time`; of null where there is none. */
export const readingPositionAt = (time: Date) => sql`select events.position_at(${time.toISOString()})`;

/** The position in a row of one of these two. */
export const positionOf = ([row]: readonly (readonly (string | null)[])[]): Position =>
  BigInt(row?.[0] ?? START);

/** What `ping` sends; it needs no table. */
export const asking = () => sql`select 1`;

/** A row of the log as the port has it. Throws where its JSON is damaged. */
export function toEvent(row: EventRow | PageRow): RecordedEvent {
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
