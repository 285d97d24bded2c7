import { TextDecoder } from 'node:util';
import { parseHeaders, partsOf } from './headers.js';
import { withSignedBytes, type Signable } from './signed-bytes.js';

/** Makes letters of a text of which each character is a byte. */
type InLetters = (bytes: string) => string;

/** UTF-8, and encodings that no object can be in: the headers that name them are in ASCII. */
const READ_AS_UTF_8: readonly string[] = ['utf-8', 'utf-16le', 'utf-16be'];

/**
 * What `parse` reads of the content of a commit or tag: in letters, whatever encoding it says that it is in. What was signed
 * stays as `withSignedBytes` has it.
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

/** Whether an object may say, in an encoding that it names, something else than its text shows as UTF-8. */
export const isEncoded = (header: string, message: string): boolean =>
  [header, message].some((text) => /\P{ASCII}/u.test(text) || text.includes('\u001b')) &&
  decoderOf(header) !== undefined;

/** Undefined for UTF-8, which is what an object that names none is in, and for what nobody knows. */
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
