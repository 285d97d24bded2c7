import type pg from 'pg';

/**
 * Tells readers that the log may have grown, by PostgreSQL's NOTIFY. Wake-ups may be missing (a writer died between
 * its commit and its NOTIFY, the connection was away), so that every wait has an end of its own.
 */
export class WakeUps {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  /** How many there have been; taken before a read, it tells later whether one came since. */
  get count(): number {
    return this.#count;
  }

  async listenOn(client: pg.Client): Promise<void> {
    client.on('notification', () => {
      this.#wake();
    });
    await client.query('listen events');
    this.#wake(); // whatever was missed before
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

  #wake(): void {
    this.#count++;
    for (const wake of this.#waiting) wake();
  }
}
