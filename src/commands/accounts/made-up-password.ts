import { randomBytes } from 'node:crypto';

/** Nobody needs more letters than these to be safe, but the configuration may want them. */
const LETTERS = 16;

/** A password that nobody can guess, of at least `minLength` letters: 96 random bits or more. */
export function madeUpPassword(minLength: number): string {
  const length = Math.max(LETTERS, minLength);
  return randomBytes(length).toString('base64url').slice(0, length);
}
