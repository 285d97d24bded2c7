import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { parsedUrl } from '../values/parsed-url.js';
import { withoutEnd } from '../values/without-end.js';
import { basicAuthorization } from './basic-authorization.js';
import type { Remote, RemoteCredentials } from './clone-address.js';
import { AddressRefused } from './guarded-connect.js';
import { RemoteFailure } from './remote-failure.js';
import { undici } from './undici.js';

type Headers = Readonly<Record<string, string>>;
type Answered = { readonly contentType: string; readonly body: Readable };

const MAX_HOPS = 5;
const ADVERTISEMENT = '/info/refs?service=git-upload-pack';
/** Begins like git's own, because some hosts answer only git. */
const USER_AGENT = 'git/2.40.0 (Tallyforge)';
/** How many bytes of an unwanted response are read in order to keep its connection. */
const DISCARDED_BYTES = 64 * 1024;

/**
 * A client of the smart HTTP protocol, for reading a remote. Follows redirects of the first request through the
 * dispatcher, which checks each hop: never from https to http, and with credentials only on their own host. All later
 * requests go to the target of the last redirect.
 */
export class RemoteRepository {
  #base: URL;
  #credentials: RemoteCredentials | undefined;
  readonly #dispatcher: Dispatcher;

  constructor({ url, credentials }: Remote, dispatcher: Dispatcher) {
    this.#base = new URL(withoutEnd(url, '/'));
    this.#credentials = credentials;
    this.#dispatcher = dispatcher;
  }

  /** Requests the list of refs, as git does first. Throws `RemoteFailure` or the error of the connection. */
  async advertisement(headers: Headers, signal: AbortSignal): Promise<Answered> {
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      const { statusCode, headers: told, body } = await this.#request('GET', ADVERTISEMENT, headers, signal);
      if (statusCode >= 300 && statusCode < 400 && told.location !== undefined) {
        await body.dump({ limit: DISCARDED_BYTES });
        this.#follow(String(told.location));
      } else return answered(statusCode, told, body, 'application/x-git-upload-pack-advertisement');
    }
    throw new RemoteFailure('redirect-refused', `the remote redirects more than ${MAX_HOPS} times`);
  }

  /** Requests everything else: the refs of protocol 2, and the objects. */
  async uploadPack(headers: Headers, body: Readable, signal: AbortSignal): Promise<Answered> {
    const typed = { ...headers, 'content-type': 'application/x-git-upload-pack-request' };
    const answer = await this.#request('POST', '/git-upload-pack', typed, signal, body);
    return answered(answer.statusCode, answer.headers, answer.body, 'application/x-git-upload-pack-result');
  }

  /** Translates the error of a request to a `RemoteFailure` for the user; returns unknown errors as they are. */
  failureOf(error: unknown): unknown {
    const { host } = this.#base;
    const found = causeOf(error, AddressRefused);
    if (found) return new RemoteFailure('address-refused', found.message, { cause: error });
    const { code = '' } = error as NodeJS.ErrnoException;
    if (/TIMEOUT|ETIMEDOUT/.test(code))
      return new RemoteFailure('too-slow', `${host} takes too long to answer`, { cause: error });
    const unreachable =
      error instanceof undici().errors.HTTPParserError ||
      /^(E(AI_)?[A-Z]+$|ERR_TLS_|ERR_SSL_|UND_ERR|UNABLE_TO_|HOSTNAME_|[A-Z_]*CERT)/.test(code);
    return unreachable
      ? new RemoteFailure('unreachable', `${host} cannot be reached`, { cause: error })
      : error;
  }

  async #request(
    method: 'GET' | 'POST',
    path: string,
    headers: Headers,
    signal: AbortSignal,
    body: Readable | null = null,
  ): Promise<Dispatcher.ResponseData> {
    return this.#dispatcher.request({
      origin: this.#base.origin,
      path: withoutEnd(this.#base.pathname, '/') + path,
      method,
      body,
      signal,
      headers: {
        ...headers,
        'user-agent': USER_AGENT,
        accept: '*/*',
        'accept-encoding': 'identity', // git gets exactly the bytes that are counted
        ...(this.#credentials && { authorization: basicAuthorization(this.#credentials) }),
      },
    });
  }

  #follow(location: string): void {
    const from = this.#base;
    const asked = new URL(withoutEnd(from.href, '/') + ADVERTISEMENT);
    const to = parsedUrl(location, asked.href);
    if (!to) throw new RemoteFailure('redirect-refused', 'the remote redirects to nowhere');
    if (to.protocol !== 'https:' && to.protocol !== 'http:')
      throw new RemoteFailure('redirect-refused', 'the remote redirects to neither http nor https');
    if (to.protocol === 'http:' && from.protocol === 'https:')
      throw new RemoteFailure('redirect-refused', 'the remote redirects away from https');
    if (!`${to.pathname}${to.search}`.endsWith(ADVERTISEMENT))
      throw new RemoteFailure('redirect-refused', 'the remote redirects to what is no repository');
    if (!isSameHost(from, to)) this.#credentials = undefined;
    this.#base = new URL(to.pathname.slice(0, -'/info/refs'.length), to.origin);
  }
}

/** Returns the response if it is what git expects; otherwise throws a `RemoteFailure`. */
function answered(
  status: number,
  headers: IncomingHttpHeaders,
  body: Readable,
  contentType: string,
): Answered {
  const failure = failureOf(status, headers, contentType);
  if (!failure) return { contentType, body };
  body.on('error', () => undefined).destroy();
  throw failure;
}

function failureOf(
  status: number,
  headers: IncomingHttpHeaders,
  expected: string,
): RemoteFailure | undefined {
  if (status === 401 || status === 403)
    return new RemoteFailure('credentials-refused', `the remote refuses access: it answers ${status}`);
  if (status === 404 || status === 410)
    return new RemoteFailure('not-found', `the remote has no such repository: it answers ${status}`);
  if (status !== 200) return new RemoteFailure('broken', `the remote answers ${status}`);
  if (headers['content-type'] !== expected || (headers['content-encoding'] ?? 'identity') !== 'identity')
    return new RemoteFailure('not-git', 'there is no git repository at that address');
  return undefined;
}

/** Tells whether two URLs have the same origin, or differ only by https in place of http at the default ports. */
const isSameHost = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.hostname === to.hostname && from.protocol === 'http:' && from.port === '' && to.port === '');

function causeOf<E extends Error>(error: unknown, type: abstract new (...args: never[]) => E): E | undefined {
  if (error instanceof type) return error;
  if (error instanceof AggregateError) {
    for (const each of error.errors) {
      const found = causeOf(each, type);
      if (found) return found;
    }
  }
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause, type) : undefined;
}
