/** Reads the parts of which SSH makes messages and keys (RFC 4251): four bytes of length, then so many bytes. */
export class WireReader {
  #offset = 0;

  constructor(private readonly bytes: Buffer) {}

  /** The next part. Throws `RangeError` where the bytes end inside it. */
  string(): Buffer {
    const start = this.#offset + 4;
    const end = start + this.bytes.readUInt32BE(this.#offset);
    if (end > this.bytes.length) throw new RangeError('a part ends beyond the bytes');
    this.#offset = end;
    return this.bytes.subarray(start, end);
  }

  /** All parts that are left; throws `RangeError` where bytes are left over. */
  rest(): Buffer[] {
    const parts: Buffer[] = [];
    while (this.#offset < this.bytes.length) parts.push(this.string());
    return parts;
  }
}
