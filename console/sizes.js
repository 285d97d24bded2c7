/** @import { Bytes } from './types.js' */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const UNLIMITED = 'unlimited';

/** @param {Bytes} limit */
const isUnlimited = (limit) => Number(limit) === -1;

/**
 * Formats bytes for reading: `1.5 GiB`.
 *
 * @param {Bytes} bytes
 */
export function sizeText(bytes) {
  const value = Number(bytes);
  const power = Math.min(Math.floor(Math.log2(Math.max(Math.abs(value), 1)) / 10), UNITS.length - 1);
  const scaled = value / 1024 ** power;
  return `${scaled.toLocaleString('en', { maximumSignificantDigits: Math.abs(scaled) >= 1000 ? 4 : 3 })} ${UNITS[power]}`;
}

/** @param {Bytes} limit */
export const limitText = (limit) => (isUnlimited(limit) ? UNLIMITED : sizeText(limit));

/**
 * Formats bytes with all digits, for a tooltip.
 *
 * @param {Bytes} bytes
 */
export const exactText = (bytes) =>
  isUnlimited(bytes) ? UNLIMITED : `${bytes.toLocaleString('en')} ${Number(bytes) === 1 ? 'byte' : 'bytes'}`;

/**
 * Formats a limit for editing, so that `parseLimit` returns it exactly.
 *
 * @param {Bytes} limit
 */
export function limitField(limit) {
  let value = BigInt(limit);
  if (value === -1n) return UNLIMITED;
  let power = 0;
  while (value !== 0n && value % 1024n === 0n && power < UNITS.length - 1) {
    value /= 1024n;
    power += 1;
  }
  return `${value} ${UNITS[power]}`;
}

/**
 * Parses a limit: a number of bytes, `2 GiB`, `1.5 GB` or `unlimited` (-1). Returns undefined for anything else.
 *
 * @param {string} text
 * @returns {bigint | undefined}
 */
export function parseLimit(text) {
  const plain = text.trim().toLowerCase();
  if (plain === UNLIMITED || plain === '-1') return -1n;
  const [, digits, fraction = '', unit = '', binary] =
    /^(\d+)(?:\.(\d+))?\s*([kmgtpe]?)(i?)b?$/.exec(withoutGroups(plain)) ?? [];
  if (digits === undefined || (binary && unit === '')) return undefined;
  const factor = (binary ? 1024n : 1000n) ** BigInt(['', 'k', 'm', 'g', 't', 'p', 'e'].indexOf(unit));
  const scaled = BigInt(digits + fraction) * factor;
  const bytes = scaled / 10n ** BigInt(fraction.length);
  return bytes < 2n ** 63n ? bytes : undefined;
}

/**
 * Removes the commas between thousands. Other commas stay: `1,5` does not mean 15, because some write `1.5` so.
 *
 * @param {string} text
 */
const withoutGroups = (text) => (/^\d{1,3}(,\d{3})+(?![\d,])/.test(text) ? text.replaceAll(',', '') : text);
