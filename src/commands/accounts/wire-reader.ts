/** Reads the strings that messages and keys of SSH consist of (RFC 4251): four bytes of length, then that many bytes. */
export class WireReader {
  #offset = 0;

  constructor(private readonly bytes: Buffer) {}

  /** Returns the next string. Throws `RangeError` if the bytes end inside it. */
  string(): Buffer {
    const start = this.#offset + 4;
    const end = start + this.bytes.readUInt32BE(this.#offset);
    if (end > this.bytes.length) throw new RangeError('a part ends beyond the bytes');
    this.#offset = end;
    return this.bytes.subarray(start, end);
  }

  /** Returns all strings that are left. Throws `RangeError` if the bytes end inside the last one. */
  rest(): Buffer[] {
    const parts: Buffer[] = [];
    while (this.#offset < this.bytes.length) parts.push(this.string());
    return parts;
  }
}
