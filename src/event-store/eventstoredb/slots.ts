import { EventStoreUnavailable } from '../event-store.js';

/** Limits how many actions run concurrently; the others wait in order. */
export class Slots {
  readonly #waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** Runs an action; refuses with `EventStoreUnavailable` when none of the slots is free within so many milliseconds. */
  async run<T>(waitMs: number, action: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.#turn(waitMs);
    try {
      return await action();
    } finally {
      this.#release();
    }
  }

  #turn(waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new EventStoreUnavailable(`too many appends wait for an answer: gave up after ${waitMs} ms`));
      }, waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.add(begin);
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
