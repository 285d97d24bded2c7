import type { Queryable } from '../database/queryable.js';
import { STILL } from '../database/still.js';
import type { EventLog } from '../event-log/event-log.js';
import type { Position } from '../event-store/event-store.js';
import type { HeldRow, RowText } from './quota-rows.js';
import { bucketOf, RowDigests } from './row-digests.js';
import { rowsOfLog } from './rows-of-log.js';
import { rowsOfTables } from './rows-of-tables.js';

/** The result of `verify`: the number of rows that were compared at the position, and the differing ones, sorted. */
export interface Differences {
  readonly position: Position;
  readonly rows: number;
  /** Rows that follow from the log but are not in the tables. */
  readonly missing: readonly RowText[];
  /** Rows in the tables that do not follow from the log. */
  readonly surplus: readonly RowText[];
}

interface Differing {
  readonly missing: HeldRow[];
  readonly surplus: HeldRow[];
}

/**
 * Replays the log up to the read model's position, and compares every quota row of the tables, those that hold there
 * and those that held before: first by digests, then one by one where these differ. Memory is bounded by what holds at
 * one time and by what differs; `pageSize` rows are read at once, and about `rowsAtOnce` are compared one by one.
 */
export async function verify(
  log: EventLog,
  db: Queryable,
  checkpoint: Position,
  pageSize = 1_000,
  rowsAtOnce = 250_000,
): Promise<Differences> {
  const ofLog = () => rowsOfLog(log, checkpoint);
  const ofTables = () => rowsOfTables({ db, log }, checkpoint, pageSize);
  const inLog = new RowDigests();
  for await (const row of ofLog()) inLog.add(row);
  const inTables = new RowDigests();
  let rows = 0;
  for await (const row of ofTables()) {
    inTables.add(row);
    rows += row.stored;
  }
  const differing: Differing = { missing: [], surplus: [] };
  const sizeOf = (bucket: number) => inLog.rowsIn(bucket) + inTables.rowsIn(bucket);
  for (const buckets of together(inLog.differing(inTables), sizeOf, rowsAtOnce))
    await collect(differing, buckets, ofLog(), ofTables());
  const { missing, surplus } = differing;
  return { position: checkpoint, rows, missing: named(missing, surplus), surplus: named(surplus, missing) };
}

/** Splits the buckets into sets with at most so many rows, or a single bucket. */
function* together(
  buckets: readonly number[],
  sizeOf: (bucket: number) => number,
  max: number,
): Generator<ReadonlySet<number>> {
  let set = new Set<number>();
  let size = 0;
  for (const bucket of buckets) {
    if (set.size > 0 && size + sizeOf(bucket) > max) {
      yield set;
      set = new Set();
      size = 0;
    }
    set.add(bucket);
    size += sizeOf(bucket);
  }
  if (set.size > 0) yield set;
}

/** Adds the rows in these buckets that are in the log or in the tables alone, or more often there. */
async function collect(
  { missing, surplus }: Differing,
  buckets: ReadonlySet<number>,
  ofLog: AsyncIterable<HeldRow>,
  ofTables: AsyncIterable<HeldRow>,
): Promise<void> {
  const unmatched = new Map<string, HeldRow>();
  for await (const row of ofLog) if (buckets.has(bucketOf(row))) unmatched.set(withPositions(row), row);
  for await (const row of ofTables)
    if (buckets.has(bucketOf(row)) && !unmatched.delete(withPositions(row))) surplus.push(row);
  for (const row of unmatched.values()) missing.push(row);
}

/** Names a row that still holds by its text, and by its position too if the others have it from another one. */
function named(rows: readonly HeldRow[], others: readonly HeldRow[]): readonly RowText[] {
  const elsewhere = new Set(others.filter(holds).map(({ row }) => row));
  return rows
    .map((held) => (holds(held) && !elsewhere.has(held.row) ? held.row : withPositions(held)))
    .sort();
}

const holds = ({ until }: HeldRow): boolean => until === STILL;

const withPositions = (held: HeldRow): RowText =>
  `${held.row} from ${held.from}${holds(held) ? '' : ` to ${held.until}`}`;
