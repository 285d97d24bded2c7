const DIGITS = 4;
/** The side band that carries the pack; others carry progress and errors. */
const PACK_BAND = 1;

/**
 * Finds out how much of one answer of upload-pack is a pack. The rest, such as lists of refs, takes no room in a
 * repository.
 */
export class PackMeter {
  /** The digits of the next packet's length that have arrived. */
  #digits = '';
  /** How many bytes of the current packet are still to come. */
  #left = 0;
  /** The side band of the current packet; undefined until its first byte has arrived. */
  #band: number | undefined;

  /** Returns how many bytes of the answer's next piece belong to the pack. */
  count(piece: Buffer): number {
    let bytes = 0;
    for (let at = 0; at < piece.length;) {
      if (this.#left === 0) {
        const digits = piece.toString('latin1', at, at + DIGITS - this.#digits.length);
        this.#digits += digits;
        at += digits.length;
        if (this.#digits.length === DIGITS) bytes += this.#begin();
      } else if (this.#band === undefined) {
        this.#band = piece[at];
        this.#left -= 1;
        at += 1;
      } else {
        const taken = Math.min(this.#left, piece.length - at);
        if (this.#band === PACK_BAND) bytes += taken;
        this.#left -= taken;
        at += taken;
      }
    }
    return bytes;
  }

  /** Begins a packet. What is no packet is a pack without side bands, up to its end: returns the bytes of it so far. */
  #begin(): number {
    const isPacket = /^[0-9a-f]{4}$/i.test(this.#digits);
    this.#left = isPacket ? Math.max(parseInt(this.#digits, 16) - DIGITS, 0) : Infinity;
    this.#band = isPacket ? undefined : PACK_BAND;
    this.#digits = '';
    return isPacket ? 0 : DIGITS;
  }
}
