import type { Readable } from 'node:stream';
import { Download } from './answer.js';
import { isNamed } from './entity-tags.js';

/** Bytes that can be handed out. */
export interface Content {
  /** Tells these bytes from all others; without quotes. */
  readonly tag: string;
  readonly modified?: Date;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once, unless the client has the bytes already; with `inPart` the size must be known. */
  readonly open: (inPart: boolean) => Promise<Opened>;
}

/** Content that is found and can be read, wholly or in part. */
export interface Opened {
  /** Undefined while it is not known: then there are no parts. */
  readonly size: number | undefined;
  /** Those that hang on the bytes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, if at all. */
  readonly read: (part?: Span) => Promise<Buffer | Readable>;
}

/** Some bytes of content, both ends included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Header = (name: string) => string;

/** Answers with what the request's conditions and range leave of `content`: 200, 206, 304 or 416 (RFC 9110 §13, §14). */
export async function download(content: Content, header: Header): Promise<Download> {
  const { modified } = content;
  const etag = `"${content.tag}"`;
  const headers: Record<string, string> = {
    ...content.headers,
    ETag: etag,
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
    'Accept-Ranges': 'bytes',
  };
  if (isKnown(header, etag, modified)) return new Download(304, headers);
  const { size, read, headers: own } = await content.open(header('Range') !== '');
  Object.assign(headers, own);
  const part = size === undefined ? undefined : partOf(header, size, etag, modified);
  if (part === 'none') return new Download(416, { ...headers, 'Content-Range': `bytes */${size ?? 0}` });
  if (part) {
    const { start, end } = part;
    const range = {
      'Content-Range': `bytes ${start}-${end}/${size ?? 0}`,
      'Content-Length': String(end - start + 1),
    };
    return new Download(206, { ...headers, ...range }, await read(part));
  }
  const length = size === undefined ? {} : { 'Content-Length': String(size) };
  return new Download(200, { ...headers, ...length }, await read());
}

/** `inline` or `attachment` under a name that need not be ASCII (RFC 6266). */
export function disposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&');
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const needsExact = /[^\x20-\x7e]|%[0-9a-f]{2}/i.test(fileName);
  return `${kind}; filename="${plain}"${needsExact ? `; filename*=UTF-8''${exact}` : ''}`;
}

/** Whether the client has these very bytes. */
function isKnown(header: Header, etag: string, modified: Date | undefined): boolean {
  const tags = header('If-None-Match');
  if (tags !== '') return isNamed(etag, tags);
  const since = Date.parse(header('If-Modified-Since'));
  return modified !== undefined && !Number.isNaN(since) && wholeSeconds(modified) <= since;
}

const wholeSeconds = (time: Date): number => Math.floor(time.getTime() / 1000) * 1000;

/** The bytes that are asked for; `none` where the content has none of these. */
type Part = Span | 'none';

/** Undefined for all of it. A single range is served; several, or a malformed one, count as not asked for. */
function partOf(header: Header, size: number, etag: string, modified: Date | undefined): Part | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header('Range').trim()) ?? [];
  if (first === '' && last === '') return undefined;
  if (!isAsItWas(header('If-Range'), etag, modified)) return undefined;
  if (first === '') return lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === '' ? Infinity : Number(last);
  if (end < start) return undefined;
  return start >= size ? 'none' : { start, end: Math.min(end, size - 1) };
}

/** `bytes=-500`: all of them where there are fewer. */
const lastBytes = (count: number, size: number): Part =>
  count === 0 || size === 0 ? 'none' : { start: Math.max(0, size - count), end: size - 1 };

/** Whether an `If-Range` holds: a part of other bytes would not fit to those that the client has. */
const isAsItWas = (condition: string, etag: string, modified: Date | undefined): boolean =>
  condition === '' ||
  condition === etag ||
  (modified !== undefined && Date.parse(condition) === wholeSeconds(modified));
