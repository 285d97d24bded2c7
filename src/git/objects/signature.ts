import { isStorableTime } from '../../domain/storable-time.js';
import type { Signature } from '../port/objects.js';

/** The time of a signature whose own is missing or invalid. */
const EPOCH = '1970-01-01T00:00:00Z';

/** Parses `name <email> seconds +hhmm` as leniently as git, because old and foreign tools wrote all kinds of variants. */
export function parseSignature(text: string): Signature {
  const [, name = '', email = '', rest = ''] = /^([^<]*)<([^>]*)>?(.*)$/s.exec(text) ?? [text, text];
  const [, seconds, zone = '+0000'] = /^\s*(-?\d+)(?:\s+([+-]\d{4}))?/.exec(rest) ?? [];
  return {
    name: name.trim(),
    email: email.trim(),
    at: seconds === undefined ? EPOCH : timeOf(seconds, zone),
  };
}

/** Formats a signature, without the characters that would end its parts. Throws `RangeError` for an invalid time. */
export function formatSignature({ name, email, at }: Signature): string {
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d):(\d\d)$/.exec(at) ?? [];
  const seconds = Math.floor(Date.parse(at) / 1000);
  if (!Number.isSafeInteger(seconds)) throw new RangeError(`no time: ${at}`);
  return `${clean(name) || 'unknown'} <${clean(email)}> ${seconds} ${sign}${hours}${minutes}`;
}

/** Formats seconds since 1970 in a zone (`+hhmm`) as RFC 3339; the first moment of 1970 for what no time can be. */
export function timeOf(seconds: string, zone: string): string {
  const minutes = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))) * (zone.startsWith('-') ? -1 : 1);
  const offset = Math.abs(minutes) < 24 * 60 ? minutes : 0;
  const utc = new Date(Number(seconds) * 1000);
  const local = new Date(utc.getTime() + offset * 60_000);
  if (!isStorableTime(utc) || !isStorableTime(local)) return EPOCH;
  return local.toISOString().slice(0, 19) + (offset === 0 ? 'Z' : zone.slice(0, 1) + clock(Math.abs(offset)));
}

/** Formats minutes as `hh:mm`; an offset of 90 minutes may have been written as `0090`. */
const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Removes control characters and angle brackets, and surrounding punctuation and blanks, as git does. */
const clean = (text: string) => text.replace(/[\p{Cc}<>]/gu, '').replace(/^[\s.,:;"'\\]+|[\s,:;"'\\]+$/g, '');
