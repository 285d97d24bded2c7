import type { Columns, SetTable } from '../projection.js';
import type { Cells } from './cells.js';
import { isPartOf, keyOf, keyPartOf, type KeyPart, type RowKey } from './row-key.js';
import type { TableShape } from './table-shape.js';

/** How many numbers one row of a set covers. */
export const BLOCK = 2_048;

/** The changes of a row. `included`: numbers included, even if excluded later; `excluded`: those that end up excluded. */
interface Block {
  readonly key: RowKey;
  readonly included: Set<number>;
  readonly excluded: Set<number>;
}

/** The net changes of a batch to a table of sets. They must be written in this order: ranges, included, excluded. */
export class SetChanges implements SetTable {
  /** Always empty, because no change of a set needs its row read. */
  readonly unread: readonly RowKey[] = [];
  readonly removedRanges: KeyPart[] = [];
  readonly #blocks = new Map<string, Block>();

  constructor(readonly shape: TableShape) {}

  include(set: Columns, number: number): void {
    const { included, excluded } = this.#blockOf(set, number);
    included.add(number % BLOCK);
    excluded.delete(number % BLOCK);
  }

  exclude(set: Columns, number: number): void {
    this.#blockOf(set, number).excluded.add(number % BLOCK);
  }

  removeWhere(columns: Columns): void {
    const part = keyPartOf(this.shape, columns);
    this.removedRanges.push(part);
    for (const [text, { key }] of this.#blocks) if (isPartOf(part, key)) this.#blocks.delete(text);
  }

  get isEmpty(): boolean {
    return this.removedRanges.length === 0 && this.#blocks.size === 0;
  }

  /** Keys of rows with the mask of bits to set. Missing rows are to be inserted. */
  get included(): Cells[] {
    return this.#masks(({ included }) => included);
  }

  /** Keys of rows with the mask of bits to clear. */
  get excluded(): Cells[] {
    return this.#masks(({ excluded }) => excluded);
  }

  #masks(places: (block: Block) => ReadonlySet<number>): Cells[] {
    return [...this.#blocks.values()]
      .filter((block) => places(block).size > 0)
      .map((block) => [...block.key.cells, mask(places(block))]);
  }

  #blockOf(set: Columns, number: number): Block {
    const key = keyOf(this.shape, { block: Math.floor(number / BLOCK), ...set });
    let block = this.#blocks.get(key.text);
    if (!block) this.#blocks.set(key.text, (block = { key, included: new Set(), excluded: new Set() }));
    return block;
  }
}

/** Returns a mask with these bits set, as PostgreSQL's hexadecimal form of a bit string. */
function mask(places: ReadonlySet<number>): string {
  const bytes = Buffer.alloc(BLOCK / 8);
  for (const place of places) {
    const index = bytes.length - 1 - (place >> 3);
    bytes[index] = (bytes[index] ?? 0) | (1 << (place & 7));
  }
  return `x${bytes.toString('hex')}`;
}
