import { invalid } from '../errors.js';
import { isLonger } from '../characters.js';

const MAX_CHARACTERS = 255;

const KINDS = {
  lower: { of: /[a-z]/, name: 'a lower-case letter' },
  upper: { of: /[A-Z]/, name: 'an upper-case letter' },
  digit: { of: /[0-9]/, name: 'a digit' },
  spec: { of: /[ !-/:-@[-`{-~]/, name: 'a special character' },
} as const;

/** A kind of characters of ASCII; `spec` are those that are no letters and digits, blanks included. */
export type PasswordKind = keyof typeof KINDS;

/** What every new password must have: so many bytes of UTF-8, and a character of each of these kinds. */
export interface PasswordRules {
  readonly minBytes: number;
  readonly complexity: readonly PasswordKind[];
}

/** Tells whether a text names a kind of characters. */
export const isPasswordKind = (text: string): text is PasswordKind => Object.hasOwn(KINDS, text);

/** Refuses a password that breaks these rules, or has more than 255 characters. */
export function checkPassword(password: string, { minBytes, complexity }: PasswordRules): void {
  if (password === '') throw invalid('account.password_missing', 'Password', 'Required');
  if (Buffer.byteLength(password) < minBytes) {
    throw invalid('account.password_too_short', 'Password', `at least ${minBytes} bytes`);
  }
  if (isLonger(password, MAX_CHARACTERS)) {
    throw invalid('account.password_too_long', 'Password', `at most ${MAX_CHARACTERS} characters`);
  }
  const lacking = lackedBy(password, complexity);
  if (lacking.length > 0) {
    const names = lacking.map((kind) => KINDS[kind].name).join(', ');
    throw invalid('account.password_too_simple', 'Password', `must have ${names}`);
  }
}

/** Returns the kinds of which a password has no character. */
export const lackedBy = (password: string, complexity: readonly PasswordKind[]): PasswordKind[] =>
  complexity.filter((kind) => !KINDS[kind].of.test(password));
