import type { Columns } from '../projection.js';
import { keyText, toKeyCell, type Column } from './cells.js';
import type { TableShape } from './table-shape.js';

/** A row's key: `text` identifies the row in memory, `cells` are the key columns' values for PostgreSQL. */
export interface RowKey {
  readonly text: string;
  readonly cells: readonly string[];
}

/** Some of a key's columns, by their index in the key, and their values. */
export interface KeyPart {
  readonly places: readonly number[];
  readonly cells: readonly string[];
}

/** Returns the key that these columns form. Throws if they lack a column of the key or include any other. */
export function keyOf(shape: TableShape, columns: Columns): RowKey {
  const key = keyIn(shape, columns);
  if (Object.keys(columns).length > key.cells.length) {
    throw new Error(`${shape.name}: ${Object.keys(columns).join(', ')} is not its key`);
  }
  return key;
}

/** Returns the key of a row. Throws if a column of the key is missing or null. */
export function keyIn(shape: TableShape, row: Columns): RowKey {
  const cells = shape.key.map((place) => {
    const column = columnAt(shape, place);
    return toKeyCell(row[column.name], column);
  });
  return { text: keyText(cells), cells };
}

/** Returns the part of a key that `removeWhere` was given. Throws if it is empty or has columns that are not in the key. */
export function keyPartOf(shape: TableShape, columns: Columns): KeyPart {
  const places: number[] = [];
  const cells: string[] = [];
  for (const [place, key] of shape.key.entries()) {
    const column = columnAt(shape, key);
    const value = columns[column.name];
    if (value === undefined) continue;
    places.push(place);
    cells.push(toKeyCell(value, column));
  }
  if (places.length === 0 || places.length < Object.keys(columns).length) {
    throw new Error(
      `${shape.name}: removeWhere takes columns of the key, not ${Object.keys(columns).join(', ')}`,
    );
  }
  return { places, cells };
}

/** Returns the column at an index. */
export function columnAt(shape: TableShape, place: number): Column {
  const column = shape.columns[place];
  if (!column) throw new Error(`${shape.name} has no column ${place}`);
  return column;
}

/** Tells whether `removeWhere` with this part of a key removes the row with the given key. */
export const isPartOf = (part: KeyPart, key: RowKey): boolean =>
  part.places.every((place, index) => key.cells[place] === part.cells[index]);
