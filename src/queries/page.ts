import type { Queryable } from '../database/queryable.js';
import { sql, type Fragment } from '../database/sql.js';
import { count } from './count.js';

/** A page of a list: at most `limit` rows, after the first `offset`. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a page, and how many rows all pages have. */
export type Paged<Row> = readonly [rows: Row[], total: number];

/** The clauses of a statement that lists rows; `from` begins with that word. */
interface List {
  readonly columns: Fragment;
  readonly from: Fragment;
  readonly orderBy: Fragment;
}

/** Reads a page of a list and, at the same time, counts all its rows. */
export const paged = <Row extends object>(
  db: Queryable,
  { limit, offset }: PageRequest,
  { columns, from, orderBy }: List,
): Promise<Paged<Row>> =>
  Promise.all([
    db.rows<Row>(sql`select ${columns} ${from} order by ${orderBy} limit ${limit} offset ${offset}`),
    count(db, from),
  ]);
