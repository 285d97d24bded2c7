import type { Message } from '../src/domain/decider.js';
import type { DomainEvent as ProjectedEvent } from '../src/domain/domain-event.js';

export type { ProjectedEvent };

/** A value of a column, as pg takes it. */
export type Value = string | number | bigint | boolean | Date | null | readonly (string | number)[];
/** Values by the names of their columns. */
export type Columns = Readonly<Record<string, Value>>;

/**
 * The changes an event handler may ask of a table. They are gathered by key and written in a few statements for a
 * whole batch, in the order of the events.
 *
 * In a table with `history`, rows are never changed in place: a change closes the row that was valid
 * (`valid_until` = the event's position) and opens another (`valid_from` = that position), so the table
 * answers for every position. `valid_from` and `valid_until` are the projector's to fill.
 */
export interface Table {
  /** The whole row, null where it says nothing: inserted, or put in the place of the one with its key. */
  put(row: Columns): void;
  /** Some columns of the row with this key; nothing where there is no such row. */
  patch(key: Columns, changes: Columns): void;
  /** Adds to integer columns of the row with this key; null stays null, and nothing is done where there is no row. */
  add(key: Columns, amounts: Readonly<Record<string, number | bigint>>): void;
  remove(key: Columns): void;
  /** Removes every row whose key columns have these values (some of the key's columns, not all). */
  removeWhere(part: Columns): void;
}

/**
 * Types and all else come from the catalogue. The migration declares `primary key (<key>)`; with `history` also
 * `valid_from int8 not null, valid_until int8 not null` and `primary key (<key>, valid_until)`. Key columns are
 * integers, text or uuid. Any other unique index must be a deferred constraint, since a batch is written by table and
 * not in the order of its events.
 */
export interface TableDeclaration {
  readonly key: readonly string[];
  readonly history?: boolean;
}

/** What a table tells of a person, and what stands there once the person is erased: SQL, with the account's id as `$1`. */
export interface Erasure {
  readonly table: string;
  readonly set: string;
  readonly where: string;
}

type Handlers<E extends Message, Tables extends Record<string, TableDeclaration>> = {
  readonly [Type in E['type']]?: (
    event: ProjectedEvent<Extract<E, { type: Type }>>,
    tables: { readonly [Name in keyof Tables]: Table },
  ) => void;
};

/**
 * A read model as the engine has it. `version` is raised with any change of tables or handlers, which have schemas of
 * their own then; types of events without a handler pass it by.
 */
export interface Projection {
  readonly name: string;
  readonly version: number;
  readonly tables: Readonly<Record<string, TableDeclaration>>;
  /**
   * What is done at `PersonErased`, at every position of a history too. The rows must become what a rebuild makes of events
   * whose personal fields read as null.
   */
  readonly erases?: readonly Erasure[];
  readonly on: Readonly<
    Record<string, (event: ProjectedEvent, tables: Readonly<Record<string, Table>>) => void>
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

/** The PostgreSQL schema that holds a projection's tables and its checkpoint. */
export const schemaOf = ({ name, version }: Pick<Projection, 'name' | 'version'>): string =>
  `${name.replaceAll('-', '_')}_v${version}`;
