import { START, type Position } from '../event-store.js';

/** A place in the log, and what its events up to there say about the time. */
export interface Mark {
  readonly position: Position;
  /** The latest time that any event up to here was recorded, in milliseconds. */
  readonly time: number;
}

const MAX_MARKS = 4_096;
const beginning: Mark = { position: START, time: -Infinity };

/**
 * Marks along the log from which a search for a time or a position may begin. Bounded: when full, every second mark goes and
 * later ones stand twice as far apart.
 */
export class TimeIndex {
  #marks: Mark[] = [beginning];
  #stride = 1_024;
  #sinceLast = 0;

  /** The last mark that is not beyond what is searched for; the events after it are to be shown to `pass`, in order. */
  last(isWithin: (mark: Mark) => boolean): Mark {
    this.#sinceLast = 0;
    return this.#marks.findLast(isWithin) ?? beginning;
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
