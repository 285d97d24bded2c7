/** The bytes by which files are recognised that browsers can show; `at` is their offset. */
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

/** The byte order marks of text with two bytes per character. */
const WIDE = [
  { charset: 'utf-16le', mark: '\xff\xfe' },
  { charset: 'utf-16be', mark: '\xfe\xff' },
];

/** How many bytes `mediaTypeOf` looks at. */
const SNIFFED = 4096;

/** Detects a file's type from its first bytes alone: images, sound, video and PDF, then text, else plain bytes. */
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

/** Tells whether bytes are text in a charset. If more bytes follow, the last character may be incomplete. */
function isIn(charset: string, bytes: Buffer, goesOn: boolean): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: goesOn });
    return true;
  } catch {
    return false;
  }
}
