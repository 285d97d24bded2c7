import { STILL } from '../../src/database/still.js';
import type { Cells } from './cells.js';
import { changedRow } from './change-row.js';
import type { TableChanges } from './changes.js';
import { isPartOf, type KeyPart, type RowKey } from './row-key.js';

/** A row that is valid from position `from` up to but excluding `until`, which is `STILL` for a row that is still valid. */
export interface Version {
  readonly cells: Cells;
  readonly from: bigint;
  readonly until: bigint;
}

/** The net changes of a batch to a table with history, to be written in this order: closed keys, closed ranges, versions. */
export interface HistoryWrites {
  /** The keys of rows that were open before the batch, and the positions that end their validity. */
  readonly closedKeys: readonly { readonly key: RowKey; readonly at: bigint }[];
  /** Removed ranges, by position. Closing a range does not affect rows that are closed already. */
  readonly closedRanges: readonly { readonly part: KeyPart; readonly at: bigint }[];
  /** The rows whose validity began in the batch. */
  readonly versions: readonly Version[];
}

/** The versions of one key's row over a batch. A version that would begin and end at the same position is left out. */
class Timeline {
  readonly versions: Version[] = [];
  /** The position that ends the row that was open before the batch; undefined while nothing has ended it. */
  closedAt: bigint | undefined;
  #open: { readonly cells: Cells; readonly from: bigint } | undefined;

  /** `before` is the row that was open before the batch, if it was read because a `patch` or an `add` comes first. */
  constructor(
    readonly key: RowKey,
    readonly before: Cells | undefined,
  ) {}

  get current(): Cells | undefined {
    return this.#open?.cells ?? (this.closedAt === undefined ? this.before : undefined);
  }

  end(at: bigint): void {
    this.closedAt ??= at;
    if (this.#open && this.#open.from < at) this.versions.push({ until: at, ...this.#open });
    this.#open = undefined;
  }

  begin(cells: Cells, from: bigint): void {
    this.end(from);
    this.#open = { cells, from };
  }

  finish(): void {
    if (this.#open) this.versions.push({ until: STILL, ...this.#open });
  }
}

/** Reduces a batch's changes to their net effect. `loaded` has the open rows of `unread` from before the batch, by key. */
export function foldHistory(table: TableChanges, loaded: ReadonlyMap<string, Cells>): HistoryWrites {
  const timelines = new Map<string, Timeline>();
  for (const [text, key] of table.keys) timelines.set(text, new Timeline(key, loaded.get(text)));

  const closedRanges: { part: KeyPart; at: bigint }[] = [];
  for (const change of table.changes) {
    const at = change.position;
    if (change.kind === 'removeWhere') {
      closedRanges.push({ part: change.part, at });
      for (const timeline of timelines.values()) if (isPartOf(change.part, timeline.key)) timeline.end(at);
      continue;
    }
    const timeline = timelines.get(change.key.text);
    if (!timeline) continue;
    if (change.kind === 'put') timeline.begin(change.row.cells, at);
    else if (change.kind === 'remove') timeline.end(at);
    else if (timeline.current) timeline.begin(changedRow(timeline.current, change), at);
  }

  const closedKeys: { key: RowKey; at: bigint }[] = [];
  const versions: Version[] = [];
  for (const timeline of timelines.values()) {
    timeline.finish();
    if (timeline.closedAt !== undefined) closedKeys.push({ key: timeline.key, at: timeline.closedAt });
    for (const version of timeline.versions) versions.push(version);
  }
  return { closedKeys, closedRanges, versions };
}
