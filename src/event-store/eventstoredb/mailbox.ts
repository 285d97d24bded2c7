import type { Batch, RecordedEvent } from '../event-store.js';

/** How far the events that wait may stand apart in the log, which bounds their bytes: there, positions count bytes. */
const MAX_SPAN = 4n * 1_048_576n;

/** A buffer of arriving events for a consumer that pulls them in batches. */
export class Mailbox {
  #arrived: RecordedEvent[] = [];
  #live = false;
  #consumerKnowsLive = false;
  #ended = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #waking = false;

  /** `onRoom` is called when a batch was taken, so that more may come. */
  constructor(
    private readonly maxBatch: number,
    private readonly onRoom: () => void,
  ) {}

  /** Whether a whole batch is waiting, by number or by bytes, so that the sender should pause. */
  get isFull(): boolean {
    const [oldest] = this.#arrived;
    const newest = this.#arrived.at(-1);
    if (!oldest || !newest) return false;
    return this.#arrived.length >= this.maxBatch || newest.position - oldest.position >= MAX_SPAN;
  }

  /** Adds the event that arrived last. */
  put(event: RecordedEvent): void {
    this.#arrived.push(event);
    this.#wakeSoon();
  }

  /** Sets whether all events of the log have arrived. The consumer is told once, if need be by an empty batch. */
  setLive(live: boolean): void {
    this.#live = live;
    if (live) this.#wakeSoon();
  }

  /** Ends `batches` at once, whatever still waits; with a failure, it throws that. */
  end(failure?: Error): void {
    this.#ended = true;
    this.#failure ??= failure;
    this.#wake?.();
  }

  /** Yields what has arrived whenever there is something new, until `end`. For one consumer. */
  async *batches(): AsyncGenerator<Batch> {
    while (await this.#somethingToTell()) yield this.#take();
    if (this.#failure) throw this.#failure;
  }

  async #somethingToTell(): Promise<boolean> {
    while (!this.#ended) {
      if (this.#arrived.length > 0 || (this.#live && !this.#consumerKnowsLive)) return true;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    return false;
  }

  #take(): Batch {
    const events = this.#arrived.splice(0, this.maxBatch);
    const caughtUp = this.#live && this.#arrived.length === 0;
    this.#consumerKnowsLive = caughtUp;
    this.onRoom();
    return { events, caughtUp };
  }

  // A little later, so that what arrived together becomes one batch.
  #wakeSoon(): void {
    if (!this.#wake || this.#waking) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#wake?.();
    });
  }
}
