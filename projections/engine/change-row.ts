import type { Cells } from './cells.js';
import type { Change, KeyPart, RowKey } from './changes.js';

/** The row after a `patch` or an `add`. As in SQL, an amount added to null is null. */
export function changedRow(row: Cells, change: Extract<Change, { kind: 'patch' | 'add' }>): Cells {
  const cells = row.slice();
  if (change.kind === 'patch') {
    for (const [place, cell] of change.cells) cells[place] = cell;
  } else {
    for (const [place, amount] of change.amounts) {
      const before = cells[place];
      if (before !== null && before !== undefined) cells[place] = String(BigInt(before) + amount);
    }
  }
  return cells;
}

/** Whether the row of a key is among those that `removeWhere` with this part of it removes. */
export const isPartOf = (part: KeyPart, key: RowKey): boolean =>
  part.places.every((place, index) => key.cells[place] === part.cells[index]);
