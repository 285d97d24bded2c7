import type { Cell, Cells } from './cells.js';
import { changedRow } from './change-row.js';
import type { Change, TableChanges } from './changes.js';
import { isPartOf, type KeyPart, type RowKey } from './row-key.js';

/** A change of one column in a row whose content is not known here. */
export type Edit = { readonly set: Cell } | { readonly add: bigint };

/** A row to update, with its edits by the column's index. Has no effect if there is no such row. */
export interface EditedRow {
  readonly key: RowKey;
  readonly edits: ReadonlyMap<number, Edit>;
}

/** The net changes of a batch to a table without history. They must be written in this order: ranges, keys, edits, rows. */
export interface CurrentWrites {
  readonly removedRanges: readonly KeyPart[];
  readonly removedKeys: readonly RowKey[];
  readonly edited: readonly EditedRow[];
  readonly rows: readonly Cells[];
}

interface Pending {
  readonly key: RowKey;
  /** Undefined while the row's content is not known, null if there is no row. */
  row: { readonly cells: Cells } | null | undefined;
  /** The edits of a row whose content is not known; absent for most rows, which are put whole. */
  edits?: Map<number, Edit>;
}

/** Reduces the changes of a batch to their net effect, without reading rows: PostgreSQL does the additions. */
export function foldCurrent(table: TableChanges): CurrentWrites {
  const pending = new Map<string, Pending>();
  for (const [text, key] of table.keys) pending.set(text, { key, row: undefined });

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
    else if (entry.row === null) continue;
    else if (entry.row) entry.row = { cells: changedRow(entry.row.cells, change) };
    else edit((entry.edits ??= new Map()), change);
  }

  const removedKeys: RowKey[] = [];
  const edited: EditedRow[] = [];
  const rows: Cells[] = [];
  for (const { key, row, edits } of pending.values()) {
    if (row) rows.push(row.cells);
    else if (row === null) removedKeys.push(key);
    else if (edits) edited.push({ key, edits });
  }
  return { removedRanges, removedKeys, edited, rows };
}

function edit(edits: Map<number, Edit>, change: Extract<Change, { kind: 'patch' | 'add' }>): void {
  if (change.kind === 'patch') {
    for (const [place, cell] of change.cells) edits.set(place, { set: cell });
    return;
  }
  for (const [place, amount] of change.amounts) edits.set(place, added(edits.get(place), amount));
}

/** Adds an amount to a column's edit. As in SQL, null plus an amount is null. */
function added(before: Edit | undefined, amount: bigint): Edit {
  if (!before) return { add: amount };
  if ('add' in before) return { add: before.add + amount };
  return { set: before.set === null ? null : String(BigInt(before.set) + amount) };
}
