import { invalid } from '../errors.js';

const MAX_CHARACTERS = 255;

/** Refuses a password that has less than `minBytes` bytes of UTF-8, or more than 255 characters. */
export function checkPassword(password: string, minBytes: number): void {
  if (password === '') throw invalid('account.password_missing', 'Password', 'Required');
  if (new TextEncoder().encode(password).length < minBytes) {
    throw invalid('account.password_too_short', 'Password', `at least ${minBytes} bytes`);
  }
  if ([...password].length > MAX_CHARACTERS) {
    throw invalid('account.password_too_long', 'Password', `at most ${MAX_CHARACTERS} characters`);
  }
}
