import type { Cells } from './cells.js';
import type { Change } from './changes.js';

/** Returns the row after a `patch` or an `add`. As in SQL, null plus an amount is null. */
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
