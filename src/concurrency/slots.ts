/** A semaphore: lets a limited number run at a time, and the others wait in order. */
export class Slots {
  readonly #waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** The number of those that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a free slot. Resolves with the function that frees it; calling that again does nothing. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.free > 0) this.free -= 1;
    else await this.#turn(signal);
    let taken = true;
    return () => {
      if (taken) this.#giveBack();
      taken = false;
    };
  }

  #turn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(begin);
        reject(signal?.reason as Error);
      };
      this.#waiting.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
