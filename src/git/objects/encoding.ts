import { TextDecoder } from 'node:util';
import { parseHeaders, partsOf } from './headers.js';
import { withSignedBytes, type Signable } from './signed-bytes.js';

/** Decodes a text in which each character stands for a byte. */
type InLetters = (bytes: string) => string;

/** UTF-8, and encodings that no object can have, because headers are in ASCII. */
const READ_AS_UTF_8: readonly string[] = ['utf-8', 'utf-16le', 'utf-16be'];

/**
 * Parses the content of a commit or tag, decoded by the encoding that it names. What was signed is as `withSignedBytes`
 * gives it.
 */
export function inItsEncoding<Read extends Signable>(
  content: Buffer,
  parse: (text: string, inLetters?: InLetters) => Read,
): Read {
  const read = withSignedBytes(content, (text) => parse(text));
  const bytes = content.toString('latin1');
  const decoder = decoderOf(partsOf(bytes)[0]);
  if (!decoder) return read;
  const shown = parse(bytes, (text) => decoder.decode(Buffer.from(text, 'latin1')));
  return read.signed ? { ...shown, signed: read.signed } : shown;
}

/** Tells whether an object names an encoding in which it may read differently from its text as UTF-8. */
export const isEncoded = (header: string, message: string): boolean =>
  [header, message].some((text) => /\P{ASCII}/u.test(text) || text.includes('\u001b')) &&
  decoderOf(header) !== undefined;

/** Returns the decoder of an object's encoding; undefined for UTF-8, which is the default, and for unknown encodings. */
function decoderOf(header: string): TextDecoder | undefined {
  const encoding = parseHeaders(header).first('encoding');
  if (encoding === undefined) return undefined;
  try {
    const decoder = new TextDecoder(encoding);
    return READ_AS_UTF_8.includes(decoder.encoding) ? undefined : decoder;
  } catch {
    return undefined;
  }
}
