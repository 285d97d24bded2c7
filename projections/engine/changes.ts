import type { Columns, Table } from '../projection.js';
import { GivenRow, isInteger, keyText, toCell, toKeyCell, type Cell } from './cells.js';
import type { TableShape } from './table-shape.js';

/** A row's key: as a name in memory, and as PostgreSQL takes it. */
export interface RowKey {
  readonly text: string;
  readonly cells: readonly string[];
}

/** Some of a key's columns, by their place in the key, and their values. */
export interface KeyPart {
  readonly places: readonly number[];
  readonly cells: readonly string[];
}

/** What a handler asked for; `position` is its event's. */
export type Change = { readonly position: bigint } & (
  | { readonly kind: 'put'; readonly key: RowKey; readonly row: GivenRow }
  | { readonly kind: 'patch'; readonly key: RowKey; readonly cells: readonly (readonly [number, Cell])[] }
  | { readonly kind: 'add'; readonly key: RowKey; readonly amounts: readonly (readonly [number, bigint])[] }
  | { readonly kind: 'remove'; readonly key: RowKey }
  | { readonly kind: 'removeWhere'; readonly part: KeyPart }
);

/** The changes of one table over a batch, in the order of the events. */
export class TableChanges implements Table {
  readonly changes: Change[] = [];
  /** The keys that the changes name. */
  readonly keys = new Map<string, RowKey>();
  /** The keys whose row must be read first: the first change builds upon it, and a history keeps both. */
  readonly unread: RowKey[] = [];
  /** The position of the event whose handler is running. */
  position = 0n;
  readonly #names: ReadonlySet<string>;

  constructor(readonly shape: TableShape) {
    this.#names = new Set(shape.columns.map(({ name }) => name));
  }

  put(row: Columns): void {
    const key = this.#keyIn(row);
    this.#refuseUnknown(row);
    this.#note({ kind: 'put', position: this.position, key, row: new GivenRow(row, this.shape.columns) });
  }

  patch(columns: Columns, changes: Columns): void {
    const key = this.#key(columns);
    const cells = Object.entries(changes).map(([name, value]) => {
      const place = this.#placeOf(name);
      return [place, toCell(value, this.#column(place))] as const;
    });
    this.#note({ kind: 'patch', position: this.position, key, cells });
  }

  add(columns: Columns, amounts: Readonly<Record<string, number | bigint>>): void {
    const key = this.#key(columns);
    const added = Object.entries(amounts).map(([name, amount]) => {
      const place = this.#placeOf(name);
      if (!isInteger(this.#column(place))) throw new Error(`${this.shape.name}.${name} is not an integer`);
      return [place, BigInt(amount)] as const;
    });
    this.#note({ kind: 'add', position: this.position, key, amounts: added });
  }

  remove(columns: Columns): void {
    this.#note({ kind: 'remove', position: this.position, key: this.#key(columns) });
  }

  removeWhere(part: Columns): void {
    const places: number[] = [];
    const cells: string[] = [];
    this.shape.key.forEach((column, place) => {
      const { name } = this.#column(column);
      if (part[name] === undefined) return;
      places.push(place);
      cells.push(toKeyCell(part[name], this.#column(column)));
    });
    if (places.length === 0 || places.length < Object.keys(part).length) {
      throw new Error(
        `${this.shape.name}: removeWhere takes columns of the key, not ${Object.keys(part).join(', ')}`,
      );
    }
    this.changes.push({ kind: 'removeWhere', position: this.position, part: { places, cells } });
  }

  #note(change: Exclude<Change, { kind: 'removeWhere' }>): void {
    const { kind, key } = change;
    this.changes.push(change);
    if (this.keys.has(key.text)) return;
    this.keys.set(key.text, key);
    const buildsUponRow = kind === 'patch' || kind === 'add';
    if (buildsUponRow && this.shape.history) this.unread.push(key);
  }

  /** The key that these columns are. */
  #key(columns: Columns): RowKey {
    const key = this.#keyIn(columns);
    if (Object.keys(columns).length > key.cells.length) {
      throw new Error(`${this.shape.name}: ${Object.keys(columns).join(', ')} is not its key`);
    }
    return key;
  }

  /** The key among the columns of a row. */
  #keyIn(row: Columns): RowKey {
    const cells = this.shape.key.map((place) => {
      const column = this.#column(place);
      return toKeyCell(row[column.name], column);
    });
    return { text: keyText(cells), cells };
  }

  #placeOf(name: string): number {
    const place = this.shape.columns.findIndex((column) => column.name === name);
    if (place < 0) throw new Error(`${this.shape.name} has no column ${name}`);
    if (this.shape.key.includes(place)) throw new Error(`${this.shape.name}.${name} is part of the key`);
    return place;
  }

  #column(place: number) {
    const column = this.shape.columns[place];
    if (!column) throw new Error(`${this.shape.name} has no column ${place}`);
    return column;
  }

  #refuseUnknown(row: Columns): void {
    for (const name in row) {
      if (!this.#names.has(name)) throw new Error(`${this.shape.name} has no column ${name}`);
    }
  }
}
