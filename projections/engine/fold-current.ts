import type { Cells } from './cells.js';
import type { KeyPart, RowKey } from './changes.js';
import type { TableChanges } from './changes.js';
import { changedRow, isPartOf } from './change-row.js';

/** What is left of a batch for a table without history. Written in this order: ranges, keys, rows. */
export interface CurrentWrites {
  readonly removedRanges: readonly KeyPart[];
  readonly removedKeys: readonly RowKey[];
  readonly rows: readonly Cells[];
}

interface Pending {
  readonly key: RowKey;
  /** Undefined while it is not known and does not matter, null where there is no row. */
  row: { readonly cells: Cells } | null | undefined;
  touched: boolean;
}

/** Applies the changes in order. `loaded` holds the rows of `unread` as they stood before the batch. */
export function foldCurrent(table: TableChanges, loaded: ReadonlyMap<string, Cells>): CurrentWrites {
  const pending = new Map<string, Pending>();
  for (const [text, key] of table.keys) pending.set(text, { key, row: undefined, touched: false });
  for (const { text } of table.unread) {
    const entry = pending.get(text);
    const cells = loaded.get(text);
    if (entry) entry.row = cells ? { cells } : null;
  }

  const removedRanges: KeyPart[] = [];
  for (const change of table.changes) {
    if (change.kind === 'removeWhere') {
      removedRanges.push(change.part);
      for (const entry of pending.values()) if (isPartOf(change.part, entry.key)) entry.row = null;
      continue;
    }
    const entry = pending.get(change.key.text);
    if (!entry) continue;
    if (change.kind === 'put') entry.row = change.row;
    else if (change.kind === 'remove') entry.row = null;
    else if (entry.row) entry.row = { cells: changedRow(entry.row.cells, change) };
    else continue;
    entry.touched = true;
  }

  const removedKeys: RowKey[] = [];
  const rows: Cells[] = [];
  for (const { key, row, touched } of pending.values()) {
    if (!touched) continue;
    if (row) rows.push(row.cells);
    else removedKeys.push(key);
  }
  return { removedRanges, removedKeys, rows };
}
