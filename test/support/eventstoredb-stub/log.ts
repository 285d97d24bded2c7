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

/** The server's log: what is written, and what counts as written before. Emits `appended`. */
export class StubLog extends EventEmitter {
  readonly records: StubRecord[] = [];
  readonly #streams = new Map<string, StubRecord[]>();
  #end = 0n;

  constructor(readonly clock: () => Date) {
    super();
    this.setMaxListeners(0);
  }

  stream(name: string): readonly StubRecord[] | undefined {
    return this.#streams.get(name);
  }

  append(stream: string, expected: StubExpected, events: readonly StubEvent[]): StubAppended {
    const before = this.#streams.get(stream) ?? [];
    const current = before.length - 1;
    const written = events.length === 0 ? undefined : this.#writtenBefore(before, expected, events);
    if (written !== undefined) return { result: 'success', last: written, revision: written.revision };
    if (!admits(expected, current) || this.#beginsWithWritten(before, expected, events)) {
      return { result: 'wrongExpectedVersion', actual: current };
    }
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

  /** Where the next record will stand. */
  get end(): bigint {
    return this.#end;
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

  #write(stream: string, before: StubRecord[], events: readonly StubEvent[]): StubRecord | undefined {
    const created = this.clock();
    for (const event of events) {
      const record = { ...event, stream, revision: before.length, position: this.#end, created };
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

function admits(expected: StubExpected, current: number): boolean {
  if (expected === 'any') return true;
  if (expected === 'noStream') return current === -1;
  if (expected === 'streamExists') return current >= 0;
  return expected === current;
}
