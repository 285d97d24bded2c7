import { invalid } from '../errors.js';
import { isLonger } from '../characters.js';

const MAX_CHARACTERS = 40;
/** Letters and digits, with single `- _ .` between them. */
const form = /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*$/;

/** Names that are paths of this server or of Forgejo and Gitea, or that stand for no account. */
const reserved: ReadonlySet<string> = new Set(
  `. .. .well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user admin
   devtest explore issues pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info
   swagger.v1.json ghost gitea-actions forgejo-actions`.split(/\s+/),
);
const reservedEndings = /\.(?:keys|gpg|rss|atom|png)$/;

/** Refuses what is no valid name of a user or organization. `field` is the name's field in the request. */
export function checkAccountName(name: string, field = 'Username'): void {
  if (name === '') throw invalid('account.name_missing', field, 'Required');
  if (isLonger(name, MAX_CHARACTERS)) {
    throw invalid('account.name_too_long', field, `at most ${MAX_CHARACTERS} characters`);
  }
  if (!form.test(name)) {
    throw invalid('account.name_invalid', field, 'letters and digits, with single - _ . between them');
  }
  const key = accountNameKey(name);
  if (reserved.has(key) || reservedEndings.test(key)) {
    throw invalid('account.name_reserved', field, `${name} is reserved`);
  }
}

/** Returns the key by which names are compared: letter case does not count. */
export const accountNameKey = (name: string): string => name.toLowerCase();
