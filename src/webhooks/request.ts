import { createHmac } from 'node:crypto';
import type { HookTarget } from './planned.js';

/** What the headers of a request tell of its delivery. */
export interface Told {
  readonly id: string;
  readonly event: string;
  readonly eventType: string;
  readonly payload: string;
}

/** What is posted to a receiver, with the credentials in its headers: see `masked` for what may be kept of it. */
export interface HookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Receivers know one of these services, and read its headers. */
const NAMES = ['Forgejo', 'Gitea', 'Gogs', 'GitHub'];
const NAMES_WITH_SIGNATURE = ['Forgejo', 'Gitea', 'Gogs'];

const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** The request that brings a delivery to its target. A form is signed by the JSON that it carries. */
export function requestFor({ id, event, eventType, payload }: Told, target: HookTarget): HookRequest {
  const { url, contentType, secret, authorizationHeader } = target;
  const digest = (algorithm: string) =>
    secret ? createHmac(algorithm, secret).update(payload).digest('hex') : '';
  const sha256 = digest('sha256');
  const each = (names: readonly string[], what: string, value: string) =>
    Object.fromEntries(names.map((name) => [`X-${name}-${what}`, value]));
  return {
    url,
    headers: {
      'User-Agent': 'Tallyforge-Hook',
      'Content-Type': TYPES[contentType],
      ...each(NAMES, 'Delivery', id),
      ...each(NAMES, 'Event', event),
      ...each(NAMES, 'Event-Type', eventType),
      ...each(NAMES_WITH_SIGNATURE, 'Signature', sha256),
      'X-Hub-Signature-256': `sha256=${sha256}`,
      'X-Hub-Signature': `sha1=${digest('sha1')}`,
      ...(authorizationHeader && { Authorization: authorizationHeader }),
    },
    body: contentType === 'json' ? payload : new URLSearchParams({ payload }).toString(),
  };
}

/** The request as it may be kept and shown. */
export const masked = ({ url, headers }: HookRequest): Omit<HookRequest, 'body'> => ({
  url,
  headers: headers.Authorization === undefined ? headers : { ...headers, Authorization: '******' },
});
