import { START, type Position } from '../event-store.js';

interface Mark {
  readonly position: Position;
  /** The latest time that any event up to here was recorded, in milliseconds. */
  readonly time: number;
}

const MAX_MARKS = 4_096;
const beginning: Mark = { position: START, time: -Infinity };

/**
 * Marks along the log from which a search for a time may begin. Bounded: when full, every second mark goes and
 * later ones stand twice as far apart.
 */
export class TimeIndex {
  #marks: Mark[] = [beginning];
  #stride = 1_024;
  #sinceLast = 0;

  /** The last mark at or before a time; the events after it are to be shown to `pass`, in order. */
  before(time: number): Mark {
    this.#sinceLast = 0;
    return this.#marks.findLast((mark) => mark.time <= time) ?? beginning;
  }

  /** Shows the index an event and the latest time up to it. */
  pass(position: Position, time: number): void {
    if (position <= (this.#marks.at(-1) ?? beginning).position) return;
    this.#sinceLast += 1;
    if (this.#sinceLast < this.#stride) return;
    this.#sinceLast = 0;
    this.#marks.push({ position, time });
    if (this.#marks.length > MAX_MARKS) {
      this.#marks = this.#marks.filter((_, index) => index % 2 === 0);
      this.#stride *= 2;
    }
  }
}
