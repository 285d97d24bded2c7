import type { Signed } from '../port/objects.js';

/** What was read of an object that can be signed. */
export interface Signable {
  readonly signed?: Signed;
}

/** Whether something of what was signed shows as U+FFFD: then it may have been no UTF-8. */
export const isUnclear = ({ signed }: Signable): boolean => signed?.payload.includes('\ufffd') ?? false;

/** What `parse` reads of an object's content, with the very bytes that were signed where their text is another. */
export function withSignedBytes<Read extends Signable>(content: Buffer, parse: (text: string) => Read): Read {
  const read = parse(content.toString());
  const { signed } = read;
  if (!signed || !isUnclear(read)) return read;
  const bytes = Buffer.from(parse(content.toString('latin1')).signed?.payload ?? '', 'latin1');
  if (bytes.equals(Buffer.from(signed.payload))) return read;
  return { ...read, signed: { ...signed, bytes: bytes.toString('base64') } };
}
