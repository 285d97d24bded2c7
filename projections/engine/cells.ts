import type { Columns, Value } from '../projection.js';

/** A value in PostgreSQL's text form. */
export type Cell = string | null;

/** A row, in the order of its table's columns. */
export type Cells = readonly Cell[];

/** A column of a read model's table, as PostgreSQL's catalogue has it. */
export interface Column {
  readonly name: string;
  /** Without length or precision: a cast to those would truncate where an assignment refuses. */
  readonly type: string;
}

/** Whether a column holds arrays: its values travel as text, since `unnest` would flatten arrays of arrays. */
export const isArray = ({ type }: Column): boolean => type.endsWith('[]');
/** Whether a column holds whole numbers: `add` changes no others, and in keys they are written in one form. */
export const isInteger = ({ type }: Column): boolean => /^(smallint|integer|bigint)$/.test(type);

const isJson = ({ type }: Column): boolean => type === 'json' || type === 'jsonb';

/** The text form of a value for a column; a column that is not mentioned is null. */
export function toCell(value: Value | undefined, column: Column): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return value.toISOString();
  return isJson(column) ? JSON.stringify(value) : arrayLiteral(value.map(String));
}

/** Types of which equal values have one text form here, so that rows can be told apart in memory as in PostgreSQL. */
export const KEY_TYPES = ['smallint', 'integer', 'bigint', 'text', 'character varying', 'uuid'];

/** The one text form of a key's part. Throws for null, and for text that is no integer where one is due. */
export function toKeyCell(value: Value | undefined, column: Column): string {
  const cell = toCell(value, column);
  if (cell === null) throw new Error(`key column ${column.name} is null`);
  if (typeof value === 'string' && isInteger(column)) return String(BigInt(value));
  return column.type === 'uuid' ? cell.toLowerCase() : cell;
}

/** Names a row in memory; no text in PostgreSQL holds a NUL. */
export const keyText = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? '') : parts.join('\0');

const special = /["\\]/;

/** `{"a","b",NULL}`. Everything is quoted, so no value can be taken for two. */
export function arrayLiteral(cells: Cells): string {
  let literal = '{';
  for (const cell of cells) {
    if (literal.length > 1) literal += ',';
    if (cell === null) literal += 'NULL';
    else literal += special.test(cell) ? `"${cell.replaceAll(/["\\]/g, '\\$&')}"` : `"${cell}"`;
  }
  return `${literal}}`;
}

/** A row as a handler gave it. Many are replaced before they are written, so the text forms are made when asked for. */
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
