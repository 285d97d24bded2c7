import type pg from 'pg';

/**
 * Wakes readers when PostgreSQL's NOTIFY says that there may be more to read. Some wake-ups are missing (a writer died
 * between its commit and its NOTIFY, the connection was broken), so every wait has a time limit.
 */
export class WakeUps {
  readonly #waiting = new Set<() => void>();
  readonly #everyMs: number;
  #count = 0;
  #connections = 0;
  #quiet: NodeJS.Timeout | undefined;
  #missed = false;

  /** Passes on at most one wake-up per `everyMs`, but never drops the last one; by default it passes on each at once. */
  constructor(everyMs = 0) {
    this.#everyMs = everyMs;
  }

  /** The number of wake-ups so far. Compared with the number before a read, it tells whether one came since. */
  get count(): number {
    return this.#count;
  }

  /** The number of connections so far on which notifications are heard. */
  get connections(): number {
    return this.#connections;
  }

  /** Hears the notifications of a connection from now on, and wakes all because earlier ones were missed. */
  async listenOn(client: pg.ClientBase, channel = 'events'): Promise<void> {
    client.on('notification', () => {
      this.#hear();
    });
    await client.query(`listen ${channel}`);
    this.#connections++;
    this.wake(); // notifications before `listen` were missed
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
