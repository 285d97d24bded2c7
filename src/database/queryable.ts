import type pg from 'pg';
import { rowsOf } from './prepared-query.js';
import type { Statement } from './sql.js';

/** A row whose columns the caller does not declare. */
export type Row = Record<string, unknown>;

/** Something that runs statements and returns their rows. */
export interface Queryable {
  rows<R extends object = Row>(statement: Statement | string): Promise<R[]>;
}

/** Wraps a connection of the caller's own as a `Queryable`. */
export const queryableOf = (client: pg.ClientBase): Queryable => ({
  rows: <R extends object>(statement: Statement | string) => rowsOf<R>(client, statement),
});
