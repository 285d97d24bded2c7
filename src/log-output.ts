import type { DestinationStream } from 'pino';

/**
 * Writes the lines of one turn of the event loop together. Node writes to files and pipes synchronously, so that a line at
 * a time takes a busy process longer than all else it does about them. What is left when the process ends is written then.
 */
export class LogOutput implements DestinationStream {
  #lines = '';

  constructor(private readonly output: DestinationStream) {
    process.once('exit', this.#flush);
  }

  write(line: string): void {
    if (this.#lines === '') setImmediate(this.#flush);
    this.#lines += line;
  }

  readonly #flush = (): void => {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.output.write(lines);
  };
}
