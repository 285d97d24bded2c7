import { SingleBar } from 'cli-progress';
import type { Position } from '../../src/event-store/event-store.js';

/** Reports the progress of a build. */
export interface Progress {
  start(name: string, until: Position): void;
  advance(position: Position, events: number): void;
  /** Ends the report of a build that has come to its end. */
  finish(): void;
  /** Ends the report wherever it is. May be called repeatedly, and without `start`. */
  stop(): void;
}

const LINE_EVERY_MS = 2_000;

/** Returns a progress bar if the stream is a terminal; otherwise progress is printed as a line every two seconds. */
export const progressOn = (stream: NodeJS.WriteStream): Progress =>
  stream.isTTY ? new ProgressBar(stream) : new ProgressLines((line) => stream.write(`${line}\n`));

class ProgressBar implements Progress {
  #bar: SingleBar | undefined;
  #events = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  start(name: string, until: Position): void {
    this.#events = 0;
    this.#bar = new SingleBar({
      format: `${name} {bar} {percentage} % | {events} events | {eta_formatted} left`,
      stream: this.stream,
      hideCursor: true,
    });
    this.#bar.start(Math.max(Number(until), 1), 0, { events: 0 });
  }

  advance(position: Position, events: number): void {
    this.#events += events;
    this.#bar?.update(Number(position), { events: this.#events });
  }

  finish(): void {
    this.stop();
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }
}

/** Reports progress as lines of text, at most one every two seconds. */
export class ProgressLines implements Progress {
  #name = '';
  #until: Position = 0n;
  #events = 0;
  #began = 0;
  #said = 0;

  constructor(
    private readonly say: (line: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  start(name: string, until: Position): void {
    [this.#name, this.#until, this.#events] = [name, until, 0];
    this.#began = this.#said = this.now();
    this.say(`${name}: building ${until < 0n ? 'from an empty log' : `up to position ${until}`}`);
  }

  advance(position: Position, events: number): void {
    this.#events += events;
    if (this.now() - this.#said < LINE_EVERY_MS) return;
    this.#said = this.now();
    const percent = Math.floor((Number(position) / Math.max(Number(this.#until), 1)) * 100);
    this.say(`${this.#name}: ${percent} %, ${this.#events} events`);
  }

  finish(): void {
    const seconds = ((this.now() - this.#began) / 1000).toFixed(1);
    this.say(`${this.#name}: built from ${this.#events} events in ${seconds} s`);
  }

  stop(): void {
    // Lines need no end.
  }
}
