import type { DomainEvent } from '../../src/domain/domain-event.js';
import type { Checkpoint } from './checkpoint.js';
import type { EventSource, ProjectedBatch } from './event-source.js';

/** The maximum number of events in a batch. About as many are read ahead while a batch is being written. */
export const MAX_BATCH = 2_000;
/**
 * A batch ends with the event that brings its texts to this many characters, because long texts take memory and PostgreSQL
 * needs seconds to index them.
 */
export const MAX_CHARACTERS = 2 * 1024 * 1024;

/**
 * Reads events ahead of the consumer, and yields all that arrived meanwhile as one batch, up to the limits above: batches
 * are small while the consumer keeps up, and grow when it does not. Ends without an error when `signal` is aborted.
 */
export async function* prefetched(
  source: EventSource,
  after: Checkpoint,
  signal: AbortSignal,
): AsyncGenerator<ProjectedBatch> {
  const stop = new AbortController();
  const ahead = new ReadAhead();
  const events = source.subscribe(after.position, {
    signal: AbortSignal.any([signal, stop.signal]),
    latest: after.recordedAt,
    markUnreadable: true,
  });
  const reading = ahead.fill(events);
  const close = () => ahead.close();
  signal.addEventListener('abort', close);
  try {
    while (!signal.aborted) {
      const batch = ahead.take();
      if (batch) yield batch;
      else if (ahead.ended) break;
      else await ahead.changed;
    }
  } finally {
    stop.abort();
    signal.removeEventListener('abort', close);
    close();
    await reading.catch(() => undefined);
  }
  ahead.throwFailure();
}

class ReadAhead {
  #events: DomainEvent[] = [];
  /** The number of characters of each event, in the same order. */
  #lengths: number[] = [];
  #characters = 0;
  #caughtUp = false;
  #fresh = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;
  ended = false;
  /** Resolves at the next change. */
  changed: Promise<void>;
  #wake: () => void;

  constructor() {
    [this.changed, this.#wake] = latch();
  }

  async fill(batches: AsyncIterable<ProjectedBatch>): Promise<void> {
    try {
      for await (const { events, caughtUp } of batches) {
        for (const event of events) {
          const length = charactersOf(event.data);
          this.#events.push(event);
          this.#lengths.push(length);
          this.#characters += length;
        }
        this.#caughtUp = caughtUp;
        this.#fresh = true;
        this.#change();
        while (this.#isFull && !this.#closed) await this.changed;
        if (this.#closed) break;
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.ended = true;
      this.#change();
    }
  }

  take(): ProjectedBatch | undefined {
    if (!this.#fresh) return undefined;
    const count = this.#batchLength();
    const all = count === this.#events.length;
    const events = all ? this.#events : this.#events.slice(0, count);
    this.#events = all ? [] : this.#events.slice(count);
    this.#lengths = all ? [] : this.#lengths.slice(count);
    this.#characters = this.#lengths.reduce((sum, length) => sum + length, 0);
    this.#fresh = !all;
    this.#change();
    return { events, caughtUp: all && this.#caughtUp };
  }

  get #isFull(): boolean {
    return this.#events.length >= MAX_BATCH || this.#characters >= MAX_CHARACTERS;
  }

  #batchLength(): number {
    if (!this.#isFull) return this.#events.length;
    let characters = 0;
    const last = this.#lengths.findIndex(
      (length, index) => index === MAX_BATCH - 1 || (characters += length) >= MAX_CHARACTERS,
    );
    return last + 1;
  }

  /** Ends both the reading, which may wait for room, and the wait of the consumer. */
  close(): void {
    this.#closed = true;
    this.#change();
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #change(): void {
    this.#wake();
    [this.changed, this.#wake] = latch();
  }
}

/** Counts the characters of all strings in a value; every other value counts as one. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let characters = 1;
  for (const inner of Object.values(value)) characters += charactersOf(inner);
  return characters;
}

function latch(): [Promise<void>, () => void] {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return [promise, open];
}
