import { invalid } from '../errors.js';
import { isLonger } from '../characters.js';

const MAX_CHARACTERS = 255;
// Control characters, and lone surrogates, which UTF-8 cannot encode.
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** Refuses what is no valid name of a rule or group: 1 to 255 characters, which are stored and compared exactly. */
export function checkQuotaName(field: string, name: string): void {
  if (name === '') throw invalid('quota.name_missing', field, 'Required');
  if (isLonger(name, MAX_CHARACTERS)) {
    throw invalid('quota.name_too_long', field, `at most ${MAX_CHARACTERS} characters`);
  }
  if (unprintable.test(name))
    throw invalid('quota.name_unprintable', field, 'control characters are not allowed');
}

/** Refuses a list that contains an item twice. */
export function checkDistinct(field: string, what: string, listed: readonly unknown[]): void {
  if (new Set(listed).size < listed.length)
    throw invalid('quota.listed_twice', field, `${what} is listed twice`);
}

/** As `compareNames`, of what has a name. */
export const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  compareNames(left.name, right.name);

/** Compares names in the order of PostgreSQL's "C" collation, which compares the bytes of UTF-8. */
export const compareNames = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));
