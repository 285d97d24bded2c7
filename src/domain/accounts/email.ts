import { invalid } from '../errors.js';

const MAX_CHARACTERS = 254;
// RFC 5322's dot-atom: no quoting, no comments, ASCII only.
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Refuses what is no e-mail address of the form `local@host`; the host may be a single label, as in `root@localhost`. */
export function checkEmail(email: string): void {
  if (email === '') throw invalid('account.email_missing', 'Email', 'Required');
  if ([...email].length > MAX_CHARACTERS) {
    throw invalid('account.email_too_long', 'Email', `at most ${MAX_CHARACTERS} characters`);
  }
  const [name = '', host = '', ...more] = email.split('@');
  const valid =
    more.length === 0 &&
    !email.startsWith('-') &&
    local.test(name) &&
    host.split('.').every((part) => label.test(part));
  if (!valid) throw invalid('account.email_invalid', 'Email', 'not an e-mail address');
}

/** What two addresses must differ in: letter case does not count. */
export const emailKey = (email: string): string => email.toLowerCase();
