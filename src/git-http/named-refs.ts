import { DIGITS, lengthOf } from '../push/pkt-line.js';

/** How a packet begins that names where the client's history ends, and no ref. */
const SHALLOW = 'shallow ';

/**
 * Counts the refs that a push names, while its body passes. git tells its hooks nothing of those that it refuses itself, as
 * from a client whose history is shallow.
 */
export class NamedRefs {
  #held: Buffer = Buffer.alloc(0);
  #isOver = false;
  #count = 0;

  /** The refs named so far. All of them are before git asks its hooks. */
  get count(): number {
    return this.#count;
  }

  /** Takes the next piece of the body. */
  readonly watch = (piece: Buffer): void => {
    if (this.#isOver) return;
    let rest = Buffer.concat([this.#held, piece]);
    while (rest.length >= DIGITS) {
      const length = lengthOf(rest);
      this.#isOver = !(length > DIGITS); // the flush packet behind them, or no packet, which git refuses
      if (this.#isOver || rest.length < length) break;
      if (rest.toString('latin1', DIGITS, DIGITS + SHALLOW.length) !== SHALLOW) this.#count += 1;
      rest = rest.subarray(length);
    }
    this.#held = this.#isOver ? Buffer.alloc(0) : rest;
  };
}
