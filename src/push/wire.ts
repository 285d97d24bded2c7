import type { Duplex } from 'node:stream';
import { bytesOf, textOf } from './wire-text.js';

/** The other side disconnected early, or violated the protocol. */
export class WireBroken extends Error {
  override readonly name = 'WireBroken';
}

/** The maximum length of a line in bytes, more than any ref, option or path needs. */
const MAX_LINE = 65_536;

/** A connection to git's hooks. Reads only as much as is asked for. What is not UTF-8 is text of `textOf`. */
export class Wire {
  readonly #chunks: AsyncIterator<Buffer, undefined>;
  #held: Buffer = Buffer.alloc(0);

  constructor(private readonly stream: Duplex) {
    stream.on('error', () => undefined); // reads notice it
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  }

  /** Reads a line, without its newline; undefined if the other side ended before it was complete. */
  async line(): Promise<string | undefined> {
    for (let from = 0; ;) {
      const end = this.#held.indexOf(0x0a, from);
      if (end >= 0) return textOf(this.#take(end + 1).subarray(0, end));
      if (this.#held.length > MAX_LINE) throw new WireBroken('a line has no end');
      from = this.#held.length;
      if (!(await this.#more())) return undefined;
    }
  }

  /** Reads lines up to an empty one. */
  async *lines(): AsyncGenerator<string> {
    for (;;) {
      const line = await this.line();
      if (line === undefined) throw new WireBroken('lines have no end');
      if (line === '') return;
      yield line;
    }
  }

  /** Reads the payload of a packet, without a trailing newline; undefined for a flush packet. */
  async packet(): Promise<string | undefined> {
    const digits = (await this.#exactly(4)).toString('latin1');
    if (!/^[0-9a-f]{4}$/.test(digits)) throw new WireBroken('no packet');
    const length = parseInt(digits, 16);
    if (length === 0) return undefined;
    if (length < 4) throw new WireBroken('a packet of no known kind');
    return textOf(await this.#exactly(length - 4)).replace(/\n$/, '');
  }

  /** Reads packets up to a flush packet. */
  async *packets(): AsyncGenerator<string> {
    for (let payload = await this.packet(); payload !== undefined; payload = await this.packet())
      yield payload;
  }

  /** Writes text; does nothing if the other side has disconnected, because that does not change the outcome. */
  send(text: string): void {
    if (this.stream.writable) this.stream.write(bytesOf(text));
  }

  /** Ends the connection after what was sent; does nothing if the other side has disconnected. */
  end(): void {
    if (this.stream.writable) this.stream.end();
  }

  async #exactly(length: number): Promise<Buffer> {
    while (this.#held.length < length) if (!(await this.#more())) throw new WireBroken('a packet is cut off');
    return this.#take(length);
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#chunks.next();
      if (done) return false;
      this.#held = Buffer.concat([this.#held, value]);
      return true;
    } catch {
      return false;
    }
  }
}
