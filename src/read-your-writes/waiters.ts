interface Waiter {
  readonly isReached: () => boolean;
  readonly settle: (reached: boolean) => void;
}

/** The requests that wait for read models; each is woken once, by progress or by its time limit. */
export class Waiters {
  readonly #waiting = new Set<Waiter>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves with true once `wake` finds the goal reached, with false after `withinMs`. */
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

  /** Wakes the requests whose goal is reached. */
  wake(): void {
    for (const { isReached, settle } of this.#waiting) if (isReached()) settle(true);
  }

  /** Wakes all requests with false. */
  clear(): void {
    for (const { settle } of this.#waiting) settle(false);
  }
}
