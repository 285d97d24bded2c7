import type { Columns, Value } from '../projection.js';

/** A value in PostgreSQL's text form. */
export type Cell = string | null;

/** A row, in the order of its table's columns. */
export type Cells = readonly Cell[];

/** A column of a read model's table, as read from PostgreSQL's catalogue. */
export interface Column {
  readonly name: string;
  /** The type without length or precision, because a cast to those truncates values that an assignment would refuse. */
  readonly type: string;
}

/** Tells whether a column holds arrays. Their values are sent as text, because `unnest` would flatten arrays of arrays. */
export const isArray = ({ type }: Column): boolean => type.endsWith('[]');
/** Tells whether a column holds integers. Only those can be changed by `add`, and in keys their text is normalised. */
export const isInteger = ({ type }: Column): boolean => /^(smallint|integer|bigint)$/.test(type);

const isJson = ({ type }: Column): boolean => type === 'json' || type === 'jsonb';

/** Returns the text form of a value for a column; null for undefined, the value of columns that a row leaves out. */
export function toCell(value: Value | undefined, column: Column): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return value.toISOString();
  return isJson(column) ? JSON.stringify(value) : arrayLiteral(value.map(String));
}

/** The types that keys may have: `toKeyCell` gives their equal values one text form, so keys can be compared in memory. */
export const KEY_TYPES = ['smallint', 'integer', 'bigint', 'text', 'character varying', 'uuid'];

/** Returns the normalised text of a key column's value. Throws for null, and for non-integer text in an integer column. */
export function toKeyCell(value: Value | undefined, column: Column): string {
  const cell = toCell(value, column);
  if (cell === null) throw new Error(`key column ${column.name} is null`);
  if (typeof value === 'string' && isInteger(column)) return String(BigInt(value));
  return column.type === 'uuid' ? cell.toLowerCase() : cell;
}

/** Joins a key's cells into one string that identifies the row in memory. The separator NUL occurs in no PostgreSQL text. */
export const keyText = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? '') : parts.join('\0');

const special = /["\\]/;

/** Returns an array literal such as `{"a","b",NULL}`. Every value is quoted, so that a comma in it does not split it. */
export function arrayLiteral(cells: Cells): string {
  let literal = '{';
  for (const cell of cells) {
    if (literal.length > 1) literal += ',';
    if (cell === null) literal += 'NULL';
    else literal += special.test(cell) ? `"${cell.replaceAll(/["\\]/g, '\\$&')}"` : `"${cell}"`;
  }
  return `${literal}}`;
}

/** A row as a handler gave it. Its text form is made on first use: many rows are replaced before they are written. */
export class GivenRow {
  #cells: Cells | undefined;

  constructor(
    private readonly values: Columns,
    private readonly columns: readonly Column[],
  ) {}

  get cells(): Cells {
    return (this.#cells ??= this.columns.map((column) => toCell(this.values[column.name], column)));
  }
}
