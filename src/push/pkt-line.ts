import { bytesOf } from './wire-text.js';

const MAX_PAYLOAD = 65_516;

/** The flush packet, which ends a section. */
export const FLUSH = '0000';

/** How many hexadecimal digits a packet begins with. They say how long it is in bytes, including themselves. */
export const DIGITS = FLUSH.length;

/** Returns the length that a packet's digits say; NaN if it begins with none. */
export const lengthOf = (packet: Buffer): number => parseInt(packet.toString('latin1', 0, DIGITS), 16);

/** Frames a payload as a packet: the digits, then the payload. Throws if it is longer than a packet can be. */
export function packet(payload: string): string {
  const bytes = bytesOf(payload).length;
  if (bytes > MAX_PAYLOAD) throw new RangeError(`a packet of ${bytes} bytes`);
  return (bytes + DIGITS).toString(16).padStart(DIGITS, '0') + payload;
}

/** Frames a line as a packet, and truncates it if it is too long. */
export function linePacket(line: string): string {
  const room = MAX_PAYLOAD - 4; // leaves room for the newline, and for U+FFFD in place of a truncated character
  const fits = Buffer.byteLength(line) <= room;
  return packet(`${fits ? line : Buffer.from(line).toString('utf8', 0, room)}\n`);
}
