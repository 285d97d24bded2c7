/** How the first bytes of files begin that browsers show; `at` is where. */
const SIGNATURES: readonly { readonly type: string; readonly bytes: string; readonly at?: number }[] = [
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF8' },
  { type: 'image/webp', bytes: 'WEBP', at: 8 },
  { type: 'image/avif', bytes: 'ftypavif', at: 4 },
  { type: 'image/bmp', bytes: 'BM' },
  { type: 'image/x-icon', bytes: '\0\0\x01\0' },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/wave', bytes: 'WAVE', at: 8 },
  { type: 'audio/midi', bytes: 'MThd' },
  { type: 'application/ogg', bytes: 'OggS\0' },
  { type: 'video/mp4', bytes: 'ftyp', at: 4 },
  { type: 'video/webm', bytes: '\x1aE\xdf\xa3' },
  { type: 'video/avi', bytes: 'AVI ', at: 8 },
];

/** How text begins that has two bytes for each character. */
const WIDE = [
  { charset: 'utf-16le', mark: '\xff\xfe' },
  { charset: 'utf-16be', mark: '\xfe\xff' },
];

/** Bytes that `mediaTypeOf` looks at. */
export const SNIFFED = 4096;

/** What a file is to a browser, told from its first bytes alone: images, sound, films and PDF, text, else bytes. */
export function mediaTypeOf(head: Buffer): string {
  const begin = head.subarray(0, SNIFFED);
  const isText = !begin.includes(0);
  if (isText && isSvg(begin.toString())) return 'image/svg+xml';
  const start = begin.subarray(0, 64).toString('latin1');
  const known = SIGNATURES.find(({ bytes, at = 0 }) => start.startsWith(bytes, at));
  if (known && !(isText && known.bytes.length < 3)) return known.type;
  const goesOn = head.length >= SNIFFED;
  const wide = WIDE.find(({ charset, mark }) => start.startsWith(mark) && isIn(charset, begin, goesOn));
  if (wide) return `text/plain; charset=${wide.charset}`;
  if (!isText) return 'application/octet-stream';
  return `text/plain; charset=${isIn('utf-8', begin, goesOn) ? 'utf-8' : 'iso-8859-1'}`;
}

const isSvg = (text: string) =>
  /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>]/i.test(text);

/** Whether bytes are text in a charset. Where there may be more of them, the last character may be cut off. */
function isIn(charset: string, bytes: Buffer, goesOn: boolean): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: goesOn });
    return true;
  } catch {
    return false;
  }
}
