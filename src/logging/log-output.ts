import type { DestinationStream } from 'pino';

/**
 * Writes the lines of one turn of the event loop together. Node writes to files and pipes synchronously, and a write for
 * each line would take a busy process longer than everything else about logging. The rest is written when the process exits.
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
