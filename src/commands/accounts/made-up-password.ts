import { randomBytes } from 'node:crypto';
import { lackedBy, type PasswordRules } from '../../domain/accounts/password.js';

/** Enough characters to be safe; the configuration may ask for more. */
const CHARACTERS = 16;

/** Generates a password that keeps the rules, of letters, digits, `-` and `_`, with 90 random bits or more. */
export function madeUpPassword({ minBytes, complexity }: PasswordRules): string {
  const length = Math.max(CHARACTERS, minBytes);
  for (;;) {
    const password = randomBytes(length).toString('base64url').slice(0, length);
    if (lackedBy(password, complexity).length === 0) return password;
  }
}
