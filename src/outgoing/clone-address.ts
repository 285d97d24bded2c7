import { invalid } from '../domain/errors.js';
import { parsedUrl } from '../values/parsed-url.js';

/** The credentials for a remote that requires them. */
export type RemoteCredentials = { readonly username: string; readonly password: string };

/** A remote repository that is cloned over HTTP. */
export interface Remote {
  /** Without credentials, query and fragment, so it may be shown and stored. */
  readonly url: string;
  readonly credentials?: RemoteCredentials;
}

/** The credentials that a client sends beside the address; empty ones count as absent. */
export interface GivenCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Used as the password if there is none, as hosts with access tokens accept. */
  readonly token?: string | undefined;
}

const LONGEST_ADDRESS = 2_048;
/** The user name that hosts accept for any token. */
const TOKEN_USER = 'oauth2';

/** Parses an address to clone from. Refuses (422) all but plain http and https URLs, without repeating the address. */
export function parseCloneAddress(given: string, credentials: GivenCredentials = {}): Remote {
  const text = given.trim();
  if (text === '') throw refused('Required');
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  if (text.length > LONGEST_ADDRESS || /[\u0000-\u0020\u007f\\]/.test(text))
    throw refused('not a valid address');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (/^[./~]/.test(text) || scheme === 'file' || scheme?.length === 1)
    throw refused('repositories on the file system of the server cannot be migrated');
  if (scheme !== 'http' && scheme !== 'https') throw refused(unsupported(text, scheme));
  const url = /^https?:\/\//i.test(text) ? parsedUrl(text) : undefined;
  if (!url) throw refused('not a valid address');
  if (url.search !== '' || url.hash !== '')
    throw refused('an address to clone from has no query or fragment');
  const own = credentialsOf(url, credentials);
  url.username = url.password = '';
  return { url: url.href, ...(own && { credentials: own }) };
}

function unsupported(text: string, scheme: string | undefined): string {
  const isRemote = scheme !== undefined || /^[^/]+:/.test(text) || text.includes('@');
  return isRemote
    ? 'only http and https addresses can be migrated, no ssh, git or other ones'
    : 'an address must begin with https:// or http://';
}

function credentialsOf(
  url: URL,
  { username = '', password = '', token = '' }: GivenCredentials,
): RemoteCredentials | undefined {
  if (password !== '') return { username, password };
  if (token !== '') return { username: username === '' ? TOKEN_USER : username, password: token };
  if (username !== '') return { username, password };
  if (url.username === '' && url.password === '') return undefined;
  return { username: decoded(url.username), password: decoded(url.password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('not a valid address');
  }
}

const refused = (message: string) => invalid('migration.clone_addr', 'CloneAddr', message);
