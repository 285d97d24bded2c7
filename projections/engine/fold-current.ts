import type { Cell, Cells } from './cells.js';
import { changedRow, isPartOf } from './change-row.js';
import type { Change, KeyPart, RowKey, TableChanges } from './changes.js';

/** What becomes of a column of a row that is not read. */
export type Edit = { readonly set: Cell } | { readonly add: bigint };

/** A row that stays, and what changes in it, by the column's place; nothing where there is no such row. */
export interface EditedRow {
  readonly key: RowKey;
  readonly edits: ReadonlyMap<number, Edit>;
}

/** What is left of a batch for a table without history. Written in this order: ranges, keys, edits, rows. */
export interface CurrentWrites {
  readonly removedRanges: readonly KeyPart[];
  readonly removedKeys: readonly RowKey[];
  readonly edited: readonly EditedRow[];
  readonly rows: readonly Cells[];
}

interface Pending {
  readonly key: RowKey;
  /** Undefined while it is not known, null where there is no row. */
  row: { readonly cells: Cells } | null | undefined;
  /** Of a row that is not known; most are put whole. */
  edits?: Map<number, Edit>;
}

/** Applies the changes in order, without reading a row: PostgreSQL adds to what it has. */
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

/** As in SQL, an amount added to null is null. */
function added(before: Edit | undefined, amount: bigint): Edit {
  if (!before) return { add: amount };
  if ('add' in before) return { add: before.add + amount };
  return { set: before.set === null ? null : String(BigInt(before.set) + amount) };
}
