import type { Position } from '../event-store/event-store.js';

interface Waiter {
  readonly position: Position;
  readonly names: readonly string[];
  readonly settle: (reached: boolean) => void;
}

/** Requests that wait for projections; each is woken once, by progress or by time. */
export class Waiters {
  readonly #waiting = new Set<Waiter>();

  get size(): number {
    return this.#waiting.size;
  }

  /** True once `wake` finds the position reached, false after `withinMs`. */
  add(position: Position, names: readonly string[], withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (reached: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        resolve(reached);
      };
      const timer = setTimeout(settle, withinMs, false);
      const waiter: Waiter = { position, names, settle };
      this.#waiting.add(waiter);
    });
  }

  /** Wakes those for whom it is true. */
  wake(reached: (position: Position, names: readonly string[]) => boolean): void {
    for (const { position, names, settle } of this.#waiting) if (reached(position, names)) settle(true);
  }

  /** Ends all waiting, without success. */
  clear(): void {
    for (const { settle } of this.#waiting) settle(false);
  }
}
