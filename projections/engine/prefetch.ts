import type { ProjectedEvent } from '../projection.js';
import type { Checkpoint } from './checkpoint.js';
import type { EventSource, ProjectedBatch } from './event-source.js';

/** The most events that one batch holds, and about as many are read ahead while it is being written. */
export const MAX_BATCH = 2_000;

/**
 * Reads ahead of its consumer, who gets all that came meanwhile in one batch: one event when there is time, many when
 * there is not. Ends without an error when `signal` is aborted.
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
  const wake = () => ahead.wake();
  signal.addEventListener('abort', wake);
  try {
    while (!signal.aborted) {
      const batch = ahead.take();
      if (batch) yield batch;
      else if (ahead.ended) break;
      else await ahead.changed;
    }
  } finally {
    stop.abort();
    signal.removeEventListener('abort', wake);
    ahead.close();
    await reading.catch(() => undefined);
  }
  ahead.throwFailure();
}

class ReadAhead {
  #events: ProjectedEvent[] = [];
  #caughtUp = false;
  #fresh = false;
  #closed = false;
  #failure: { readonly error: unknown } | undefined;
  ended = false;
  /** Resolves at the next change. */
  changed: Promise<void>;
  /** Resolves `changed`. */
  wake: () => void;

  constructor() {
    [this.changed, this.wake] = latch();
  }

  async fill(batches: AsyncIterable<ProjectedBatch>): Promise<void> {
    try {
      for await (const { events, caughtUp } of batches) {
        for (const event of events) this.#events.push(event);
        this.#caughtUp = caughtUp;
        this.#fresh = true;
        this.#change();
        while (this.#events.length >= MAX_BATCH && !this.#closed) await this.changed;
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
    const all = this.#events.length <= MAX_BATCH;
    const events = all ? this.#events : this.#events.slice(0, MAX_BATCH);
    this.#events = all ? [] : this.#events.slice(MAX_BATCH);
    this.#fresh = !all;
    this.#change();
    return { events, caughtUp: all && this.#caughtUp };
  }

  close(): void {
    this.#closed = true;
    this.#change();
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  #change(): void {
    this.wake();
    [this.changed, this.wake] = latch();
  }
}

function latch(): [Promise<void>, () => void] {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return [promise, open];
}
