import type pg from 'pg';

/**
 * Tells readers by PostgreSQL's NOTIFY that there may be more to read. Wake-ups may be missing (a writer died between its
 * commit and its NOTIFY, the connection was away), so every wait has an end of its own.
 */
export class WakeUps {
  readonly #waiting = new Set<() => void>();
  readonly #everyMs: number;
  #count = 0;
  #quiet: NodeJS.Timeout | undefined;
  #missed = false;

  /** Passes on one wake-up in `everyMs` at most, and never leaves the last one out; by default it passes on each at once. */
  constructor(everyMs = 0) {
    this.#everyMs = everyMs;
  }

  /** How many there have been; taken before a read, it tells later whether one came since. */
  get count(): number {
    return this.#count;
  }

  async listenOn(client: pg.ClientBase, channel = 'events'): Promise<void> {
    client.on('notification', () => {
      this.#hear();
    });
    await client.query(`listen ${channel}`);
    this.wake(); // whatever was missed before
  }

  /** Resolves when there is a wake-up after the first `seen`, when `ms` have passed, or on abort. */
  async after(seen: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#count > seen || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  /** Wakes all readers of this process, as a notification does. */
  wake(): void {
    this.#count++;
    for (const wake of this.#waiting) wake();
  }

  #hear(): void {
    if (this.#quiet) {
      this.#missed = true;
      return;
    }
    this.wake();
    if (this.#everyMs === 0) return;
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
      if (!this.#missed) return;
      this.#missed = false;
      this.#hear();
    }, this.#everyMs).unref();
  }
}
