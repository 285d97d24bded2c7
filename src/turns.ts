import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_MS = 20;

/** Does what takes the process to itself piece by piece, and lets others have their turn whenever it has had one. */
export class Turns {
  #turnMs = 0;
  #spentMs = 0;

  /** Of all pieces together. */
  get spentMs(): number {
    return this.#spentMs;
  }

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
