import { Agent, request } from 'undici';
import { parseJson } from '../../src/values/json.js';
import { compareWithDescription } from './every-answer.js';

/** Whose calls they are. */
export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly token: string }
  | { readonly nobody: true };

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, 64-bit integers exact; undefined where there is no body. */
  readonly json: unknown;
  /** `message` of the body. */
  readonly message: string;
}

export type RequestHeaders = Readonly<Record<string, string>>;

/** Calls the API with one set of credentials. Paths are below `/api/v1`; a body that is no text is sent as JSON. */
export interface Client {
  get(path: string, headers?: RequestHeaders): Promise<TestAnswer>;
  post(path: string, body?: unknown, headers?: RequestHeaders): Promise<TestAnswer>;
  put(path: string, body?: unknown, headers?: RequestHeaders): Promise<TestAnswer>;
  patch(path: string, body?: unknown, headers?: RequestHeaders): Promise<TestAnswer>;
  delete(path: string, body?: unknown, headers?: RequestHeaders): Promise<TestAnswer>;
  send(method: string, path: string, body?: unknown, headers?: RequestHeaders): Promise<TestAnswer>;
}

/** Takes a fifth of the processor time of `fetch`, on which the tests would else spend more than on the API. */
const dispatcher = new Agent();

/** `base` is asked for at each call: a server that was started again listens elsewhere. */
export function clientOf(base: () => string, credentials: Credentials): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const url = new URL(`${base()}/api/v1${path}`);
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { ...authorization(credentials), ...contentType(body), ...headers },
      ...(body !== undefined && { body: sent(body) }),
    });
    const text = await answer.body.text();
    const received = new Headers();
    for (const [name, values = []] of Object.entries(answer.headers))
      for (const value of [values].flat()) received.append(name, value);
    const type = received.get('content-type');
    const status = answer.statusCode;
    compareWithDescription(url, { method, status, type, text });
    const json = type?.includes('json') && text !== '' ? parseJson(text) : undefined;
    const message = String((json as { message?: unknown } | null | undefined)?.message);
    return { status, headers: received, text, json, message };
  };
  return sendingBy(send);
}

/**
 * A client of a site whose read models are written by another process, which may be slow: it waits until what it has
 * written shows to everybody, and reads nothing of before. It goes on where the site is away.
 */
export function patientClientOf(base: () => string, credentials: Credentials): Client {
  const client = clientOf(base, credentials);
  const isLate = ({ headers }: TestAnswer) => headers.has('preference-applied');
  const read: Client['get'] = async (path, headers) => {
    let answer: TestAnswer;
    do answer = await client.get(path, headers);
    while (isLate(answer));
    return answer;
  };
  return sendingBy(async (method, path, body, headers) => {
    if (method === 'GET') return read(path, headers);
    const answer = await client.send(method, path, body, headers);
    const position = answer.headers.get(POSITION);
    if (isLate(answer) && position !== null)
      await read('/version', { [POSITION]: position }).catch(() => undefined);
    return answer;
  });
}

const POSITION = 'x-tallyforge-position';

const sendingBy = (send: Client['send']): Client => ({
  send,
  get: (path, headers) => send('GET', path, undefined, headers),
  post: (path, body, headers) => send('POST', path, body, headers),
  put: (path, body, headers) => send('PUT', path, body, headers),
  patch: (path, body, headers) => send('PATCH', path, body, headers),
  delete: (path, body, headers) => send('DELETE', path, body, headers),
});

const isJson = (body: unknown) =>
  body !== undefined &&
  typeof body !== 'string' &&
  !(body instanceof URLSearchParams) &&
  !(body instanceof Uint8Array);

const sent = (body: unknown): string | Uint8Array => {
  if (isJson(body)) return JSON.stringify(body);
  return body instanceof Uint8Array ? body : String(body);
};

/** The type that `fetch` gives a body. */
function contentType(body: unknown): RequestHeaders {
  if (isJson(body)) return { 'content-type': 'application/json' };
  if (typeof body === 'string') return { 'content-type': 'text/plain;charset=UTF-8' };
  if (body instanceof URLSearchParams)
    return { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
  return {};
}

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

function authorization(credentials: Credentials): RequestHeaders {
  if ('token' in credentials) return { authorization: `token ${credentials.token}` };
  if ('username' in credentials) return { authorization: basic(credentials.username, credentials.password) };
  return {};
}
