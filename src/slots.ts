/** Lets at most so many run at a time; the others wait in order. */
export class Slots {
  readonly #waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves, when there is room, with what gives the place back (once, however often it is called). */
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
