import type { Signed } from '../port/objects.js';

/** A parsed object that can be signed. */
export interface Signable {
  readonly signed?: Signed;
}

/** Tells whether the signed text contains U+FFFD, so that its bytes may not have been UTF-8. */
export const isUnclear = ({ signed }: Signable): boolean => signed?.payload.includes('\ufffd') ?? false;

/** Parses an object's content as UTF-8; adds the signed bytes if they differ from the decoded text. */
export function withSignedBytes<Read extends Signable>(content: Buffer, parse: (text: string) => Read): Read {
  const read = parse(content.toString());
  const { signed } = read;
  if (!signed || !isUnclear(read)) return read;
  const bytes = Buffer.from(parse(content.toString('latin1')).signed?.payload ?? '', 'latin1');
  if (bytes.equals(Buffer.from(signed.payload))) return read;
  return { ...read, signed: { ...signed, bytes: bytes.toString('base64') } };
}
