import {
  EventStoreUnavailable,
  InvalidAppend,
  PositionNotInLog,
  START,
  WrongExpectedVersion,
  type Appended,
  type Batch,
  type EventData,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type Revision,
  type SubscribeOptions,
} from '../event-store.js';
import { validateAppend, type SerialisedEvent } from '../validate.js';

/** JSON stays text, so that nobody can change the log through an event they hold. */
interface Entry extends SerialisedEvent {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly recordedAt: number;
}

/** The event log of one process, for tests: the same contract, gone with the process. Positions start at 1. */
export class MemoryEventStore implements EventStore {
  readonly #log: Entry[] = [];
  readonly #streams = new Map<string, Entry[]>();
  readonly #ids = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly #clock: () => Date;
  #closed = false;

  constructor(options: { readonly clock?: () => Date } = {}) {
    this.#clock = options.clock ?? (() => new Date());
  }

  // oxlint-disable-next-line typescript/require-await -- what it throws must reject
  async append(stream: string, expected: ExpectedRevision, events: readonly EventData[]): Promise<Appended> {
    if (this.#closed) throw new EventStoreUnavailable('the event store is closed');
    const serialised = validateAppend(stream, events);
    const entries = this.#streams.get(stream) ?? [];
    const next = expected === 'noStream' ? 0 : expected + 1;
    if (next !== entries.length) {
      const earlier = entries.slice(next, next + serialised.length);
      const last = earlier.at(-1);
      const same =
        earlier.length === serialised.length && earlier.every(({ id }, n) => id === serialised[n]?.id);
      if (last && same) return placeOf(last);
      throw new WrongExpectedVersion(
        stream,
        expected,
        entries.length === 0 ? 'noStream' : entries.length - 1,
      );
    }
    const used = serialised.find(({ id }) => this.#ids.has(id));
    if (used) throw new InvalidAppend(`event id ${used.id} is in the log already`);
    return this.#record(stream, entries, serialised);
  }

  // oxlint-disable-next-line typescript/require-await
  async readStream(stream: string, options: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    const { from, direction = 'forwards', max } = options;
    const entries = this.#streams.get(stream) ?? [];
    const ordered =
      direction === 'forwards'
        ? entries.slice(from)
        : entries.slice(0, (from ?? entries.length) + 1).reverse();
    return ordered.slice(0, max).map(parse);
  }

  async *subscribe(after: Position, { signal, maxBatch = 1000 }: SubscribeOptions): AsyncIterable<Batch> {
    let next = after < 0n ? 0 : Number(after); // the entry at index n has position n + 1
    if (next > this.#log.length) throw new PositionNotInLog(after);
    let told = false;
    while (!this.#closed && !signal.aborted) {
      const events = this.#log.slice(next, next + maxBatch).map(parse);
      next += events.length;
      const caughtUp = next >= this.#log.length;
      if (events.length > 0 || !told) yield { events, caughtUp };
      told = caughtUp;
      if (next >= this.#log.length) await this.#more(signal);
    }
  }

  lastPosition(): Promise<Position> {
    return Promise.resolve(this.#log.at(-1)?.position ?? START);
  }

  positionAt(time: Date): Promise<Position> {
    const last = this.#log.findLast(({ recordedAt }) => recordedAt <= time.getTime());
    return Promise.resolve(last?.position ?? START);
  }

  timeAt(position: Position): Promise<Date> {
    const last = this.#log.findLast((event) => event.position <= position);
    return Promise.resolve(new Date(last?.recordedAt ?? 0));
  }

  ping(): Promise<void> {
    return this.#closed
      ? Promise.reject(new EventStoreUnavailable('the event store is closed'))
      : Promise.resolve();
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    return Promise.resolve();
  }

  #record(stream: string, entries: Entry[], events: readonly SerialisedEvent[]): Appended {
    const recordedAt = Math.max(this.#clock().getTime(), this.#log.at(-1)?.recordedAt ?? 0);
    for (const event of events) {
      const position = BigInt(this.#log.length + 1);
      const entry: Entry = { ...event, stream, revision: entries.length, position, recordedAt };
      entries.push(entry);
      this.#log.push(entry);
      this.#ids.add(event.id);
    }
    this.#streams.set(stream, entries);
    this.#wake();
    return { revision: entries.length - 1, position: BigInt(this.#log.length) };
  }

  /** Resolves with the next append, abort or close. */
  #more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      if (signal.aborted || this.#closed) {
        resolve();
        return;
      }
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

const placeOf = ({ revision, position }: Entry): Appended => ({ revision, position });

function parse({ id, type, data, metadata, stream, revision, position, recordedAt }: Entry): RecordedEvent {
  return {
    id,
    type,
    data: JSON.parse(data) as RecordedEvent['data'],
    metadata: JSON.parse(metadata) as RecordedEvent['metadata'],
    stream,
    revision,
    position,
    recordedAt: new Date(recordedAt),
  };
}
