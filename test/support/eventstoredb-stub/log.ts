import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

export interface StubEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StubRecord extends StubEvent {
  readonly stream: string;
  readonly revision: number;
  /** The offset of the record in the log: grows by the record's size. */
  readonly position: bigint;
  readonly created: Date;
}

export type StubExpected = number | 'any' | 'noStream' | 'streamExists';

export type StubAppended =
  | { readonly result: 'success'; readonly last: StubRecord | undefined; readonly revision: number }
  | { readonly result: 'wrongExpectedVersion'; readonly actual: number };

const RECORD_OVERHEAD = 137;

/** The last record of a stream that was deleted for good. */
const TOMBSTONE = '$streamDeleted';

/** Beyond every event: a tombstone's own revision, and the one before which a deleted stream is truncated. */
const NO_REVISION = 9_223_372_036_854_775_807n;

/** An event that the server writes by itself. */
export const systemEvent = (type: string, data = '{}'): StubEvent => ({
  ...{ id: randomUUID(), type, contentType: 'application/json' },
  ...{ data: Buffer.from(data), metadata: new Uint8Array() },
});

/** The server's log: what is written, and what counts as written before. Emits `appended`. */
export class StubLog extends EventEmitter {
  readonly records: StubRecord[] = [];
  readonly #streams = new Map<string, StubRecord[]>();
  readonly #scavenged = new Set<bigint>();
  #end = 0n;

  constructor(readonly clock: () => Date) {
    super();
    this.setMaxListeners(0);
  }

  stream(name: string): readonly StubRecord[] | undefined {
    return this.#streams.get(name);
  }

  /**
   * What readers are given of a stream: not what its metadata truncate. Undefined where there is none, or a deleted
   * one.
   */
  visible(name: string): readonly StubRecord[] | undefined {
    const records = this.#streams.get(name);
    const { $tb = 0, $maxCount = Infinity } = this.#metadata(name);
    if (this.#isDeleted(name)) return undefined;
    return records?.slice(Math.max($tb, records.length - $maxCount, 0));
  }

  /** Deletes what a stream holds; it may be appended to again, and then goes on numbering. */
  delete(stream: string): void {
    this.#truncate(stream, NO_REVISION);
  }

  /** Deletes a stream for good. */
  tombstone(stream: string): void {
    const event = { ...systemEvent(TOMBSTONE, ''), contentType: 'application/octet-stream' };
    this.#write(stream, this.#streams.get(stream) ?? [], [event]);
  }

  isTombstoned(stream: string): boolean {
    return this.#streams.get(stream)?.at(-1)?.type === TOMBSTONE;
  }

  append(stream: string, expected: StubExpected, events: readonly StubEvent[]): StubAppended {
    const before = this.#streams.get(stream) ?? [];
    const current = before.length - 1;
    const written = events.length === 0 ? undefined : this.#writtenBefore(before, expected, events);
    if (written !== undefined) return { result: 'success', last: written, revision: written.revision };
    if (!this.#admits(stream, expected, current) || this.#beginsWithWritten(before, expected, events)) {
      return { result: 'wrongExpectedVersion', actual: current };
    }
    if (this.#isDeleted(stream)) this.#truncate(stream, BigInt(before.length));
    const last = this.#write(stream, before, events);
    return { result: 'success', last, revision: last?.revision ?? current };
  }

  /** Holds again what it held when it had so many records, as after a back-up of then was restored. */
  restore(length: number): void {
    const kept = this.records.slice(0, length);
    this.#end = this.records[length]?.position ?? this.#end;
    this.records.splice(length);
    this.#streams.clear();
    for (const record of kept)
      this.#streams.set(record.stream, [...(this.#streams.get(record.stream) ?? []), record]);
  }

  /** Removes what a deleted stream held, but for its last record; while nobody subscribes. */
  scavenge(stream: string): void {
    const removed = new Set(this.#streams.get(stream)?.slice(0, -1));
    for (const { position } of removed) this.#scavenged.add(position);
    this.records.splice(0, Infinity, ...this.records.filter((record) => !removed.has(record)));
  }

  /** Whether reads forwards may begin there: at a record, where one was removed, or anywhere behind the last one's start. */
  isReadable(position: bigint): boolean {
    const last = this.records.at(-1)?.position ?? 0n;
    return position > last || this.#isPlace(position);
  }

  /** Whether reads backwards may begin there: at a record, where one was removed, or just behind the last one. */
  isReadableBackwards(position: bigint): boolean {
    return position === this.#end || this.#isPlace(position);
  }

  #isPlace(position: bigint): boolean {
    return this.#scavenged.has(position) || this.indexOf(position).exact;
  }

  /** The index in `records` of the first record at or after `position`, and whether it is exactly there. */
  indexOf(position: bigint): { readonly index: number; readonly exact: boolean } {
    let low = 0;
    let high = this.records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.records[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return { index: low, exact: this.records[low]?.position === position };
  }

  /** Where the first of `events` would stand, had these events been written before. */
  #start(before: readonly StubRecord[], expected: StubExpected, events: readonly StubEvent[]): number {
    if (expected === 'noStream') return 0;
    if (typeof expected === 'number') return expected + 1;
    return before.findIndex(({ id }) => id === events[0]?.id);
  }

  #writtenBefore(before: readonly StubRecord[], expected: StubExpected, events: readonly StubEvent[]) {
    const start = this.#start(before, expected, events);
    if (start < 0 || !events.every(({ id }, index) => before[start + index]?.id === id)) return undefined;
    return before[start + events.length - 1];
  }

  // An old id first and a new one later: the server finds the first, misses the rest and refuses the whole.
  #beginsWithWritten(before: readonly StubRecord[], expected: StubExpected, events: readonly StubEvent[]) {
    return (expected === 'any' || expected === 'streamExists') && this.#start(before, expected, events) >= 0;
  }

  #admits(stream: string, expected: StubExpected, current: number): boolean {
    if (expected === 'any' || expected === current) return true;
    const exists = current >= 0 && !this.#isDeleted(stream);
    return expected === (exists ? 'streamExists' : 'noStream');
  }

  #isDeleted(stream: string): boolean {
    return (this.#metadata(stream).$tb ?? 0) >= Number(NO_REVISION);
  }

  #metadata(stream: string): { readonly $tb?: number; readonly $maxCount?: number } {
    const last = this.#streams.get(metastreamOf(stream))?.at(-1);
    return last ? (JSON.parse(Buffer.from(last.data).toString()) as object) : {};
  }

  #truncate(stream: string, before: bigint): void {
    const metastream = metastreamOf(stream);
    const event = systemEvent('$metadata', `{"$tb":${before}}`);
    this.#write(metastream, this.#streams.get(metastream) ?? [], [event]);
  }

  #write(stream: string, before: StubRecord[], events: readonly StubEvent[]): StubRecord | undefined {
    const created = this.clock();
    for (const event of events) {
      const revision = event.type === TOMBSTONE ? Number(NO_REVISION) : before.length;
      const record = { ...event, stream, revision, position: this.#end, created };
      this.#end += BigInt(RECORD_OVERHEAD + event.data.length + event.metadata.length);
      before.push(record);
      this.records.push(record);
    }
    if (events.length > 0) {
      this.#streams.set(stream, before);
      this.emit('appended');
    }
    return before.at(-1);
  }
}

const metastreamOf = (stream: string) => `$$${stream}`;
