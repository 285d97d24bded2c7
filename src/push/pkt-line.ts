const MAX_PAYLOAD = 65_516;

/** Ends a section. */
export const FLUSH = '0000';

/** A packet as git frames it: four hex digits that count themselves, then the payload. */
export function packet(payload: string): string {
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_PAYLOAD) throw new RangeError(`a packet of ${bytes} bytes`);
  return (bytes + 4).toString(16).padStart(4, '0') + payload;
}
