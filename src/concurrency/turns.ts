import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MS = 20;

/** Runs long synchronous work piece by piece, and yields to the event loop after each 20 ms of it. */
export class Turns {
  #turnMs = 0;
  #spentMs = 0;

  /** How long all pieces together took, in ms. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** Runs the next piece at once. Resolves with its result, after other events have had their turn if it was time. */
  async take<T>(work: () => T): Promise<T> {
    const begun = performance.now();
    const result = work();
    const ms = performance.now() - begun;
    this.#spentMs += ms;
    this.#turnMs += ms;
    if (this.#turnMs > TURN_MS) {
      this.#turnMs = 0;
      await nextTurn();
    }
    return result;
  }
}
