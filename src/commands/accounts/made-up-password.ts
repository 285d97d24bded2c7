import { randomBytes } from 'node:crypto';

/** Enough letters to be safe; the configuration may ask for more. */
const LETTERS = 16;

/** Generates a password of at least `minLength` letters, with 96 random bits or more. */
export function madeUpPassword(minLength: number): string {
  const length = Math.max(LETTERS, minLength);
  return randomBytes(length).toString('base64url').slice(0, length);
}
