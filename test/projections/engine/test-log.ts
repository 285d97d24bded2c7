import type { Message } from '../../../src/domain/decider.js';
import type { DomainEvent } from '../../../src/domain/domain-event.js';
import type { Checkpoint } from '../../../projections/engine/checkpoint.js';
import type { EventSource, ProjectedBatch } from '../../../projections/engine/event-source.js';

/** A log in memory. Positions are 10 apart, as gaps are allowed. */
export class TestLog implements EventSource {
  readonly events: DomainEvent[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(private readonly maxBatch = 1_000) {}

  /** Answers with the position of the last of them. */
  append(...messages: readonly Message[]): bigint {
    for (const message of messages) this.events.push(recorded(message, this.events.length));
    for (const wake of this.#waiting) wake();
    return this.last;
  }

  /** An event of which only place and type can be told. */
  appendUnreadable(type: string): bigint {
    this.append({ type, data: {} });
    const event = this.events.pop();
    if (event) this.events.push({ ...event, unreadable: new Error('damaged') });
    return this.last;
  }

  get last(): bigint {
    return this.events.at(-1)?.position ?? -1n;
  }

  get checkpoint(): Checkpoint {
    return this.events.at(-1) ?? { position: -1n, recordedAt: new Date(0) };
  }

  async *subscribe(
    after: bigint,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ProjectedBatch> {
    let next = this.events.findIndex(({ position }) => position > after);
    if (next < 0) {
      next = this.events.length;
      yield { events: [], caughtUp: true };
    }
    while (!signal.aborted) {
      if (next < this.events.length) {
        const events = this.events.slice(next, next + this.maxBatch);
        next += events.length;
        yield { events, caughtUp: next >= this.events.length };
      } else await this.#change(signal);
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

const recorded = (message: Message, index: number): DomainEvent => ({
  ...message,
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  stream: `thing-${index}`,
  streamId: String(index),
  revision: 0,
  position: BigInt(index) * 10n + 7n,
  recordedAt: new Date(1_700_000_000_000 + index),
  metadata: { $correlationId: 'c', $causationId: 'c', at: '2026-01-01T00:00:00Z', schemaVersion: 1 },
});
