import type { Cells } from './cells.js';
import type { KeyPart, RowKey, TableChanges } from './changes.js';
import { changedRow, isPartOf } from './change-row.js';

/** `valid_until` of the row that is valid now: the greatest int8. */
export const OPEN = 9223372036854775807n;

/** A row valid from the position `from` on and at `until` no more, which is `OPEN` where it still is. */
export interface Version {
  readonly cells: Cells;
  readonly from: bigint;
  readonly until: bigint;
}

/** What is left of a batch for a table with history. Written in this order: closed keys, closed ranges, versions. */
export interface HistoryWrites {
  /** Rows open before the batch, and where they end. */
  readonly closedKeys: readonly { readonly key: RowKey; readonly at: bigint }[];
  /** In the order of their positions: what is closed already stays as it is. */
  readonly closedRanges: readonly { readonly part: KeyPart; readonly at: bigint }[];
  /** Rows that began in the batch. */
  readonly versions: readonly Version[];
}

/** One key's rows over a batch. A row that would begin and end at one position never was. */
class Timeline {
  readonly versions: Version[] = [];
  /** Where the row that was open before the batch ends. */
  closedAt: bigint | undefined;
  #open: { readonly cells: Cells; readonly from: bigint } | undefined;

  /** `before`: the row that is open before the batch, where a change builds upon it. */
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
    if (this.#open) this.versions.push({ until: OPEN, ...this.#open });
  }
}

/** Applies the changes in order. `loaded` holds the open rows of `unread` as they stood before the batch. */
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
