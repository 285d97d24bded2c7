import type { Columns, Table } from '../projection.js';
import { GivenRow, isInteger, toCell, type Cell } from './cells.js';
import { columnAt, keyIn, keyOf, keyPartOf, type KeyPart, type RowKey } from './row-key.js';
import type { TableShape } from './table-shape.js';

/** A change that a handler asked for; `position` is that of its event. */
export type Change = { readonly position: bigint } & (
  | { readonly kind: 'put'; readonly key: RowKey; readonly row: GivenRow }
  | { readonly kind: 'patch'; readonly key: RowKey; readonly cells: readonly (readonly [number, Cell])[] }
  | { readonly kind: 'add'; readonly key: RowKey; readonly amounts: readonly (readonly [number, bigint])[] }
  | { readonly kind: 'remove'; readonly key: RowKey }
  | { readonly kind: 'removeWhere'; readonly part: KeyPart }
);

/** Collects the changes of one table over a batch, in the order of the events. */
export class TableChanges implements Table {
  readonly changes: Change[] = [];
  /** The keys of all changes except `removeWhere`. */
  readonly keys = new Map<string, RowKey>();
  /** The keys whose rows must be read first, in tables with history: their first change is a `patch` or an `add`. */
  readonly unread: RowKey[] = [];
  /** The position of the event whose handler is running. */
  position = 0n;
  readonly #names: ReadonlySet<string>;

  constructor(readonly shape: TableShape) {
    this.#names = new Set(shape.columns.map(({ name }) => name));
  }

  put(row: Columns): void {
    const key = keyIn(this.shape, row);
    this.#refuseUnknown(row);
    this.#note({ kind: 'put', position: this.position, key, row: new GivenRow(row, this.shape.columns) });
  }

  patch(columns: Columns, changes: Columns): void {
    const key = keyOf(this.shape, columns);
    const cells = Object.entries(changes).map(([name, value]) => {
      const place = this.#placeOf(name);
      return [place, toCell(value, columnAt(this.shape, place))] as const;
    });
    this.#note({ kind: 'patch', position: this.position, key, cells });
  }

  add(columns: Columns, amounts: Readonly<Record<string, number | bigint>>): void {
    const key = keyOf(this.shape, columns);
    const added = Object.entries(amounts).map(([name, amount]) => {
      const place = this.#placeOf(name);
      if (!isInteger(columnAt(this.shape, place)))
        throw new Error(`${this.shape.name}.${name} is not an integer`);
      return [place, BigInt(amount)] as const;
    });
    this.#note({ kind: 'add', position: this.position, key, amounts: added });
  }

  remove(columns: Columns): void {
    this.#note({ kind: 'remove', position: this.position, key: keyOf(this.shape, columns) });
  }

  removeWhere(columns: Columns): void {
    this.changes.push({
      kind: 'removeWhere',
      position: this.position,
      part: keyPartOf(this.shape, columns),
    });
  }

  /** Whether there are no changes. */
  get isEmpty(): boolean {
    return this.changes.length === 0;
  }

  #note(change: Exclude<Change, { kind: 'removeWhere' }>): void {
    const { kind, key } = change;
    this.changes.push(change);
    if (this.keys.has(key.text)) return;
    this.keys.set(key.text, key);
    const buildsUponRow = kind === 'patch' || kind === 'add';
    if (buildsUponRow && this.shape.history) this.unread.push(key);
  }

  #placeOf(name: string): number {
    const place = this.shape.columns.findIndex((column) => column.name === name);
    if (place < 0) throw new Error(`${this.shape.name} has no column ${name}`);
    if (this.shape.key.includes(place)) throw new Error(`${this.shape.name}.${name} is part of the key`);
    return place;
  }

  #refuseUnknown(row: Columns): void {
    for (const name in row) {
      if (!this.#names.has(name)) throw new Error(`${this.shape.name} has no column ${name}`);
    }
  }
}
