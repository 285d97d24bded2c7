/**
 * A semaphore: lets a limited number run at a time, and the others wait in order. If clients are named, those that wait
 * take turns, so that one with many requests does not keep the others waiting.
 */
export class Slots {
  /** What waits, by client: the client whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(private free: number) {}

  /** The number of those that wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Waits for a free slot. Resolves with the function that frees it; calling that again does nothing. */
  async take(signal?: AbortSignal, client = ''): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.free > 0) this.free -= 1;
    else await this.#turn(signal, client);
    let taken = true;
    return () => {
      if (taken) this.#giveBack();
      taken = false;
    };
  }

  #turn(signal: AbortSignal | undefined, client: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#remove(client, begin);
        reject(signal?.reason as Error);
      };
      this.#waiting.set(client, (this.#waiting.get(client) ?? new Set()).add(begin));
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #remove(client: string, begin: () => void): void {
    const own = this.#waiting.get(client);
    own?.delete(begin);
    if (own?.size === 0) this.#waiting.delete(client);
  }

  #giveBack(): void {
    for (const [client, own] of this.#waiting)
      for (const begin of own) {
        this.#remove(client, begin);
        // Behind the other clients.
        if (this.#waiting.delete(client)) this.#waiting.set(client, own);
        begin();
        return;
      }
    this.free += 1;
  }
}
