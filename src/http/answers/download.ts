import type { Readable } from 'node:stream';
import { Download } from './answer.js';
import { isNamed } from './entity-tags.js';

/** Bytes that can be downloaded. */
export interface Content {
  /** An entity tag, without quotes: for these very bytes or, if `weak`, for what they mean. */
  readonly tag: string;
  readonly weak?: boolean;
  readonly modified?: Date;
  readonly headers: Readonly<Record<string, string>>;
  /** Called at most once, if the client does not have the bytes yet. If `inPart` is true, the size must be known. */
  readonly open: (inPart: boolean) => Promise<Opened>;
}

/** Content that was found and can be read, whole or in part. */
export interface Opened {
  /** Undefined while it is not known; parts are then not served. */
  readonly size: number | undefined;
  /** Further headers, which depend on the bytes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called at most once. */
  readonly read: (part?: Span) => Promise<Buffer | Readable>;
  /** Called instead of `read` if no byte is served. */
  readonly close?: () => unknown;
}

/** A range of bytes, both ends included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Header = (name: string) => string;

/** Answers with `content` according to the request's conditions and range: 200, 206, 304 or 416 (RFC 9110 §13, §14). */
export async function download(content: Content, header: Header): Promise<Download> {
  const { modified, weak = false } = content;
  const etag = `"${content.tag}"`;
  const headers: Record<string, string> = {
    ...content.headers,
    ETag: weak ? `W/${etag}` : etag,
    ...(modified && { 'Last-Modified': modified.toUTCString() }),
    'Accept-Ranges': 'bytes',
  };
  if (isKnown(header, etag, modified)) return new Download(304, headers);
  const { size, read, headers: own, close } = await content.open(header('Range') !== '');
  Object.assign(headers, own);
  const part = size === undefined ? undefined : partOf(header, size, weak ? undefined : etag, modified);
  if (part === 'none') {
    close?.();
    return new Download(416, { ...headers, 'Content-Range': `bytes */${size ?? 0}` });
  }
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

/** Makes a `Content-Disposition` with a file name that need not be ASCII (RFC 6266). */
export function disposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&');
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const needsExact = /[^\x20-\x7e]|%[0-9a-f]{2}/i.test(fileName);
  return `${kind}; filename="${plain}"${needsExact ? `; filename*=UTF-8''${exact}` : ''}`;
}

/** Tells whether the client already has these very bytes. */
function isKnown(header: Header, etag: string, modified: Date | undefined): boolean {
  const tags = header('If-None-Match');
  if (tags !== '') return isNamed(etag, tags);
  const since = timeOf(header('If-Modified-Since'));
  return modified !== undefined && !Number.isNaN(since) && wholeSeconds(modified) <= since;
}

/** Returns the milliseconds of an HTTP date, which begins with a day of the week; NaN for anything else. */
const timeOf = (text: string): number =>
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : NaN;

const wholeSeconds = (time: Date): number => Math.floor(time.getTime() / 1000) * 1000;

/** The range that is asked for; `none` if the content has no such bytes. */
type Part = Span | 'none';

/**
 * Returns the range to serve; undefined for the whole content. Only a single range is served; several of them, or a
 * malformed one, are ignored.
 */
function partOf(header: Header, size: number, etag?: string, modified?: Date): Part | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header('Range').trim()) ?? [];
  if (first === '' && last === '') return undefined;
  if (!isAsItWas(header('If-Range'), etag, modified)) return undefined;
  if (first === '') return lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === '' ? Infinity : Number(last);
  if (end < start) return undefined;
  return start >= size ? 'none' : { start, end: Math.min(end, size - 1) };
}

/** The last bytes of the content, as for `bytes=-500`; all of them if there are fewer. */
const lastBytes = (count: number, size: number): Part =>
  count === 0 || size === 0 ? 'none' : { start: Math.max(0, size - count), end: size - 1 };

/** Tells whether an `If-Range` holds: a part of other bytes would not fit those that the client has. */
const isAsItWas = (condition: string, etag?: string, modified?: Date): boolean =>
  condition === '' ||
  condition === etag ||
  (modified !== undefined && timeOf(condition) === wholeSeconds(modified));
