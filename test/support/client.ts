import { parseJson } from '../../src/values/json.js';
import './every-answer.js';

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

/** `base` is asked for at each call: a server that was started again listens elsewhere. */
export function clientOf(base: () => string, credentials: Credentials): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${base()}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...authorization(credentials),
        ...(isJson(body) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson(body) ? JSON.stringify(body) : (body as string) }),
    });
    const text = await response.text();
    const isJsonAnswer = response.headers.get('content-type')?.includes('json') ?? false;
    const json = isJsonAnswer && text !== '' ? parseJson(text) : undefined;
    const message = String((json as { message?: unknown } | null | undefined)?.message);
    return { status: response.status, headers: response.headers, text, json, message };
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

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

function authorization(credentials: Credentials): RequestHeaders {
  if ('token' in credentials) return { authorization: `token ${credentials.token}` };
  if ('username' in credentials) return { authorization: basic(credentials.username, credentials.password) };
  return {};
}
