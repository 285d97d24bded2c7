import { bytesOf } from './wire-text.js';

const MAX_PAYLOAD = 65_516;

/** The flush packet, which ends a section. */
export const FLUSH = '0000';

/** Frames a payload as a packet: four hex digits with the length in bytes, including themselves, then the payload. */
export function packet(payload: string): string {
  const bytes = bytesOf(payload).length;
  if (bytes > MAX_PAYLOAD) throw new RangeError(`a packet of ${bytes} bytes`);
  return (bytes + 4).toString(16).padStart(4, '0') + payload;
}

/** Frames a line as a packet, and truncates it if it is too long. */
export function linePacket(line: string): string {
  const room = MAX_PAYLOAD - 4; // leaves room for the newline, and for U+FFFD in place of a truncated character
  const fits = Buffer.byteLength(line) <= room;
  return packet(`${fits ? line : Buffer.from(line).toString('utf8', 0, room)}\n`);
}
