import { createHmac } from 'node:crypto';
import type { HookTarget } from './planned.js';

/** The parts of a delivery that its request is made from. */
export interface Told {
  readonly id: string;
  readonly event: string;
  readonly eventType: string;
  readonly payload: string;
}

/** A request to a receiver, with the credentials in its headers; only its `masked` form may be stored. */
export interface HookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The services whose headers are sent, because receivers are written for one of them. */
const NAMES = ['Forgejo', 'Gitea', 'Gogs', 'GitHub'];
const NAMES_WITH_SIGNATURE = ['Forgejo', 'Gitea', 'Gogs'];

const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** Makes the request of a delivery to its target. The signature is that of the JSON text, also if a form carries it. */
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

/** Returns the request without its body and with `Authorization` masked, as it may be stored and shown. */
export const masked = ({ url, headers }: HookRequest): Omit<HookRequest, 'body'> => ({
  url,
  headers: headers.Authorization === undefined ? headers : { ...headers, Authorization: '******' },
});
