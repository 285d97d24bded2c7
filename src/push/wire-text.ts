import { isUtf8 } from 'node:buffer';

/** Added to a byte, gives the half of a surrogate pair that stands for it: U+DC80 to U+DCFF, as in Python's PEP 383. */
const HALVES = 0xdc00;
/** A half without its other one, which no UTF-8 text holds. */
const HALF = /([\udc80-\udcff])/u;

/**
 * Reads bytes from git, to which the name of a ref is any bytes. Where they are not UTF-8, those above 0x7F become halves
 * of surrogate pairs: distinct names stay distinct, and `bytesOf` gives the bytes again.
 */
export const textOf = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? bytes.toString('utf8')
    : bytes.toString('latin1').replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(HALVES + codeOf(byte)));

/** Returns the bytes of a text: of halves those that `textOf` made them of, of all else UTF-8. */
export const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    text
      .split(HALF)
      .map((part, index) => (index % 2 === 1 ? Buffer.of(codeOf(part) - HALVES) : Buffer.from(part))),
  );

const codeOf = (char: string) => char.charCodeAt(0);
