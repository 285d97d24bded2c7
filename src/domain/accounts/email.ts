import isEmail from 'validator/lib/isEmail.js';
import { invalid } from '../errors.js';
import { isLonger } from '../characters.js';

const MAX_CHARACTERS = 254;

/** Refuses anything but an e-mail address `local@host`. The host may be a single label, as in `root@localhost`. */
export function checkEmail(email: string): void {
  if (email === '') throw invalid('account.email_missing', 'Email', 'Required');
  if (isLonger(email, MAX_CHARACTERS)) {
    throw invalid('account.email_too_long', 'Email', `at most ${MAX_CHARACTERS} characters`);
  }
  const valid =
    /^[!#-9;-Z^-~]+$/.test(email) && // ASCII; no quoting, and no address of a host in brackets or with colons
    !email.startsWith('-') &&
    longestLabel(email) <= 63 &&
    isEmail.default(email, {
      allow_ip_domain: true,
      allow_utf8_local_part: false,
      ignore_max_length: true,
      require_tld: false,
    });
  if (!valid) throw invalid('account.email_invalid', 'Email', 'not an e-mail address');
}

/** Returns the key by which addresses are compared: letter case does not count. */
export const emailKey = (email: string): string => email.toLowerCase();

/** Tells whether an address is in the list, in any letter case. */
export const hasEmail = (emails: readonly string[], email: string): boolean =>
  emails.some((one) => emailKey(one) === emailKey(email));

/** Adds an address to a list. It replaces an address that differs only in letter case. */
export const including = (emails: readonly string[], email: string): readonly string[] =>
  hasEmail(emails, email)
    ? emails.map((one) => (emailKey(one) === emailKey(email) ? email : one))
    : [...emails, email];

const longestLabel = (email: string): number =>
  Math.max(
    ...email
      .slice(email.lastIndexOf('@') + 1)
      .split('.')
      .map(({ length }) => length),
  );
