interface Waiter {
  readonly isReached: () => boolean;
  readonly settle: (reached: boolean) => void;
}

/** Requests that wait for read models; each is woken once, by progress or by time. */
export class Waiters {
  readonly #waiting = new Set<Waiter>();

  get size(): number {
    return this.#waiting.size;
  }

  /** True once `wake` finds it reached, false after `withinMs`. */
  add(isReached: () => boolean, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (reached: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(reached);
      };
      const timer = setTimeout(settle, withinMs, false);
      const waiter: Waiter = { isReached, settle };
      this.#waiting.add(waiter);
    });
  }

  /** Wakes those who have what they wait for. */
  wake(): void {
    for (const { isReached, settle } of this.#waiting) if (isReached()) settle(true);
  }

  /** Ends all waiting, without success. */
  clear(): void {
    for (const { settle } of this.#waiting) settle(false);
  }
}
