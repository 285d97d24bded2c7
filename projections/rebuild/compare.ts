import type { Queryable } from '../../src/database/queryable.js';
import { nameOf } from '../../src/database/sql.js';
import type { ReadModel } from '../engine/read-model.js';
import type { TableShape } from '../engine/table-shape.js';

/** A row that differs between the live and the rebuilt schema; undefined where it is missing. */
export interface Difference {
  readonly table: string;
  readonly key: string;
  readonly live: string | undefined;
  readonly rebuilt: string | undefined;
}

/** The result of comparing two schemas. `rows` is the number of rows in all tables of the rebuilt one. */
export interface Comparison {
  readonly rows: number;
  /** The first differences, at most `MAX_DIFFERENCES`. */
  readonly differences: readonly Difference[];
}

/** How many differences are told at most. */
export const MAX_DIFFERENCES = 20;

/** How many buckets the rows are hashed into by key. Only buckets whose digests differ are read row by row. */
const BUCKETS = 1_024;

interface Digest {
  readonly bucket: number;
  readonly rows: number;
  readonly digest: string;
}

/** Compares two schemas of one projection, each read over its own connection. Both must be at the same position. */
export async function compare(
  { db: liveDb, model: live }: Side,
  { db: rebuiltDb, model: rebuilt }: Side,
): Promise<Comparison> {
  const differences: Difference[] = [];
  let rows = 0;
  for (const [index, { shape }] of live.tables.entries()) {
    const other = rebuilt.tables[index]?.shape;
    if (!other) throw new Error(`${rebuilt.schema} has no table ${shape.name}`);
    const [left, right] = await Promise.all([digests(liveDb, shape), digests(rebuiltDb, other)]);
    rows += [...right.values()].reduce((sum, digest) => sum + digest.rows, 0);
    for (const bucket of new Set([...left.keys(), ...right.keys()])) {
      if (differences.length >= MAX_DIFFERENCES) break;
      if (left.get(bucket)?.digest === right.get(bucket)?.digest) continue;
      const [liveRows, rebuiltRows] = await Promise.all([
        rowsOf(liveDb, shape, bucket),
        rowsOf(rebuiltDb, other, bucket),
      ]);
      differences.push(...differing(shape.name, liveRows, rebuiltRows));
    }
  }
  return { rows, differences: differences.slice(0, MAX_DIFFERENCES) };
}

/** A read model, and a connection that sees it at the position to compare at. */
export interface Side {
  readonly db: Queryable;
  readonly model: ReadModel;
}

async function digests(db: Queryable, shape: TableShape): Promise<Map<number, Digest>> {
  const rows = await db.rows<Digest>(
    `select ${bucketOf(shape)} as bucket, count(*)::int as rows,
            md5(string_agg(md5(t::text), '' order by ${keyOf(shape)} collate "C")) as digest
     from ${tableOf(shape)} t group by 1`,
  );
  return new Map(rows.map((row) => [row.bucket, row]));
}

async function rowsOf(db: Queryable, shape: TableShape, bucket: number): Promise<Map<string, string>> {
  const text = `select ${keyOf(shape)} as key, t::text as content from ${tableOf(shape)} t where ${bucketOf(shape)} = $1`;
  const rows = await db.rows<{ key: string; content: string }>({
    name: nameOf(text),
    text,
    values: [bucket],
  });
  return new Map(rows.map(({ key, content }) => [key, content]));
}

function differing(table: string, live: Map<string, string>, rebuilt: Map<string, string>): Difference[] {
  return [...new Set([...live.keys(), ...rebuilt.keys()])]
    .sort()
    .filter((key) => live.get(key) !== rebuilt.get(key))
    .map((key) => ({ table, key, live: live.get(key), rebuilt: rebuilt.get(key) }));
}

const tableOf = ({ schema, name }: TableShape): string => `"${schema}"."${name}"`;

/** Returns SQL for a row's key as text such as `(1,a)`; in tables with history it includes `valid_from`. */
function keyOf({ columns, key, history }: TableShape): string {
  const names = key.flatMap((place) => columns[place]?.name ?? []);
  return `row(${[...names, ...(history ? ['valid_from'] : [])].map((name) => `t."${name}"`).join(', ')})::text`;
}

const bucketOf = (shape: TableShape): string => `(hashtext(${keyOf(shape)}) & ${BUCKETS - 1})`;
