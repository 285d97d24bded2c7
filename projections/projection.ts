import type { Message } from '../src/domain/decider.js';
import type { DomainEvent } from '../src/domain/domain-event.js';

/** A value of a column, as pg takes it. */
export type Value = string | number | bigint | boolean | Date | null | readonly (string | number)[];
/** Values by the names of their columns. */
export type Columns = Readonly<Record<string, Value>>;

/**
 * The changes that an event handler may make to a table. They are collected by key and written in a few statements for a
 * whole batch, with the outcome of applying them in the order of the events.
 *
 * In a table with `history`, rows are never changed in place: a change closes the row that was valid
 * (`valid_until` = the event's position) and opens another (`valid_from` = that position), so the table
 * answers for every position. The projector fills `valid_from` and `valid_until`.
 */
export interface Table {
  /** Inserts a row, or replaces the one with its key as a whole: columns that are left out become null. */
  put(row: Columns): void;
  /** Sets some columns of the row with this key; does nothing if there is no such row. */
  patch(key: Columns, changes: Columns): void;
  /** Adds to integer columns of the row with this key; null stays null. Does nothing if there is no such row. */
  add(key: Columns, amounts: Readonly<Record<string, number | bigint>>): void;
  remove(key: Columns): void;
  /** Removes every row that has these values in some of its key's columns. */
  removeWhere(part: Columns): void;
}

/**
 * A table of sets of integers from 0 up. A row covers a block of 2,048 numbers: `members` has a bit for each, the highest
 * number first, and `block` is the block's index. A row is inserted when one of its numbers is first included, and stays
 * when all of them are excluded again.
 */
export interface SetTable extends Pick<Table, 'removeWhere'> {
  /** Adds a number to a set. `set` is the key without `block`. */
  include(set: Columns, number: number): void;
  exclude(set: Columns, number: number): void;
}

/**
 * A table's key and kind; its columns and their types are read from the catalogue. The migration declares
 * `primary key (<key>)`; with `history` also `valid_from int8 not null, valid_until int8 not null` and
 * `primary key (<key>, valid_until)`. Key columns are integers, text or uuid. Any other unique index must be a deferred
 * constraint, because a batch is written table by table and not in the order of its events. With `sets`, the last column
 * of the key is `block int8`, and the only other column is `members bit(2048) not null`. A table has one kind: sets have no
 * history.
 */
export type TableDeclaration = { readonly key: readonly string[] } & (
  | { readonly history?: boolean; readonly sets?: false }
  | { readonly history?: false; readonly sets: true }
);

/** How a person is erased from a table: SQL for the rows and for the values to set, with the account's id as `$1`. */
export interface Erasure {
  readonly table: string;
  readonly set: string;
  readonly where: string;
}

type Handlers<E extends Message, Tables extends Record<string, TableDeclaration>> = {
  readonly [Type in E['type']]?: (
    event: DomainEvent<Extract<E, { type: Type }>>,
    tables: {
      readonly [Name in keyof Tables]: Tables[Name] extends { readonly sets: true } ? SetTable : Table;
    },
  ) => void;
};

/**
 * A read model, as the engine uses it. `version` must be raised with any change of tables or handlers; each version has a
 * schema of its own. Events of types without a handler are ignored.
 */
export interface Projection {
  readonly name: string;
  readonly version: number;
  readonly tables: Readonly<Record<string, TableDeclaration>>;
  /**
   * Applied at `PersonErased`, also to closed rows of a history. The rows must become what a rebuild makes of events whose
   * personal fields read as null.
   */
  readonly erases?: readonly Erasure[];
  readonly on: Readonly<
    Record<string, (event: DomainEvent, tables: Readonly<Record<string, Table | SetTable>>) => void>
  >;
}

/** Declares a read model: the tables it owns and, for each type of event, the rows that change. */
export const projection =
  <E extends Message>() =>
  <Tables extends Record<string, TableDeclaration>>(declaration: {
    readonly name: string;
    readonly version: number;
    readonly tables: Tables;
    readonly erases?: readonly Erasure[];
    readonly on: Handlers<E, Tables>;
  }): Projection =>
    declaration as unknown as Projection;

/** Tells whether events of a type change a read model: by a handler, or because a person is erased from its rows. */
export const handles = ({ on, erases = [] }: Pick<Projection, 'on' | 'erases'>, type: string): boolean =>
  Object.hasOwn(on, type) || (type === 'PersonErased' && erases.length > 0);

/** The PostgreSQL schema that holds a projection's tables and its checkpoint. */
export const schemaOf = ({ name, version }: Pick<Projection, 'name' | 'version'>): string =>
  `${name.replaceAll('-', '_')}_v${version}`;
