import { GitRemoteRefused } from '../port/errors.js';
import { parsedUrl } from '../../values/parsed-url.js';
import { leniency } from '../port/flaws.js';
import type { RemoteOptions } from '../port/copies.js';

/** Checks a URL's protocol, and that it has no credentials, which would be visible in git's arguments; returns the URL. */
export function remoteAddress(url: string): string {
  const { protocol, username, password } = parsedUrl(url) ?? new URL('none:');
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new GitRemoteRefused('unreachable', `git may not go to a URL of ${protocol}`);
  if (username || password) throw new GitRemoteRefused('authentication', 'the URL has credentials in it');
  return url;
}

/** Returns git's settings for a fetch from a remote. They are passed in the environment, which only this user can read. */
export const remoteConfig = (credentials: RemoteOptions['credentials']): Record<string, string> => ({
  'protocol.https.allow': 'always',
  'protocol.http.allow': 'always',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '100',
  'http.lowSpeedTime': '60',
  ...(credentials && { 'http.extraHeader': `Authorization: Basic ${basic(credentials)}` }),
  ...leniency('fetch'),
});

const basic = ({ username, password }: NonNullable<RemoteOptions['credentials']>) =>
  Buffer.from(`${username}:${password}`).toString('base64');
