import type { TestApi } from '../support/api.js';
import type { RequestHeaders } from '../support/client.js';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without its scripts: keeps the cookie, and tells where it comes from as browsers do. */
export class Visitor {
  cookie = '';
  constructor(private readonly api: Pick<TestApi, 'url'>) {}

  async get(path: string, headers: RequestHeaders = {}): Promise<Answered> {
    return this.#send(path, headers);
  }

  /** Sends a form from a page of the server itself, unless `headers` say otherwise. */
  async post(
    path: string,
    form: Readonly<Record<string, string>>,
    headers: RequestHeaders = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Answered> {
    return this.#send(path, headers, { method: 'POST', body: new URLSearchParams(form) });
  }

  signIn({ username, password }: { username: string; password: string }, headers?: RequestHeaders) {
    return this.post('/-/quota/sign-in', { username, password }, headers);
  }

  /** What the console's page shows in its requests. */
  async proof(): Promise<string> {
    const { text } = await this.get('/-/quota');
    return /name="proof" content="([^"]+)"/.exec(text)?.[1] ?? '';
  }

  async #send(path: string, headers: RequestHeaders, request: RequestInit = {}): Promise<Answered> {
    const response = await fetch(this.api.url() + path, {
      ...request,
      redirect: 'manual',
      headers: { ...(this.cookie !== '' && { cookie: this.cookie }), ...headers },
    });
    const [kept] = response.headers.getSetCookie();
    if (kept !== undefined) this.cookie = kept.split(';', 1)[0] ?? '';
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}
