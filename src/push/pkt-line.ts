const MAX_PAYLOAD = 65_516;

/** Ends a section. */
export const FLUSH = '0000';

/** A packet as git frames it: four hex digits that count themselves, then the payload. */
export function packet(payload: string): string {
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_PAYLOAD) throw new RangeError(`a packet of ${bytes} bytes`);
  return (bytes + 4).toString(16).padStart(4, '0') + payload;
}

/** A line as a packet, cut where it is too long for one. */
export function linePacket(line: string): string {
  const room = MAX_PAYLOAD - 4; // the line's end, and what a cut character may become
  const fits = Buffer.byteLength(line) <= room;
  return packet(`${fits ? line : Buffer.from(line).toString('utf8', 0, room)}\n`);
}
