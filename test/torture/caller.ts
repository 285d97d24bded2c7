import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, stringifyJson } from '../../src/values/json.js';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  /** The read models were behind, and the server says so. */
  readonly isLate: boolean;
}

/** How often each thing came of a request. */
export class Tally {
  acknowledged = 0;
  refused = 0;
  /** The server said that it failed. */
  failed = 0;
  /** No answer came. */
  lost = 0;
  /** Answers 500, which tell of a mistake in the server rather than of a fault around it. */
  internal = 0;
}

export interface How {
  readonly keyed: boolean;
  readonly patienceMs: number;
}

const AGAIN_MS = 50;
/** What one attempt waits for, where its client is patient. */
const ATTEMPT_MS = 60_000;
/** By then everything that was done to the site is over, and it has had time to recover. */
const GIVE_UP_MS = 240_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** A client that does not know whether a request without an answer was carried out, as clients do not. */
export class Caller {
  #keys = 0;

  constructor(
    private readonly address: () => string,
    private readonly name: string,
    private readonly authorization: string,
    private readonly tally: Tally,
  ) {}

  /** The answer; undefined where nobody knows what came of it. What is keyed is sent until there is an answer. */
  async write(method: string, path: string, body: unknown, how: How): Promise<Answer | undefined> {
    const key: Record<string, string> = how.keyed
      ? { 'idempotency-key': `${this.name}-${(this.#keys += 1)}` }
      : {};
    const deadline = performance.now() + GIVE_UP_MS;
    for (let patience = how.patienceMs; ; patience = ATTEMPT_MS) {
      const answer = await this.#answer(method, path, body, key, patience);
      if (answer?.isLate && answer.status >= 400) {
        // Refused on what read models showed that were behind: it was not carried out, and is asked again as new.
        return this.write(method, path, body, how);
      }
      if (answer) {
        this.tally[answer.status < 400 ? 'acknowledged' : 'refused'] += 1;
        return answer;
      }
      await this.recovered();
      if (!how.keyed) return undefined;
      if (performance.now() > deadline) throw new Error(`${method} ${path} is never answered`);
    }
  }

  /** Sent again until there is an answer. */
  async read(path: string): Promise<Answer> {
    const deadline = performance.now() + GIVE_UP_MS;
    for (;;) {
      const answer = await this.#answer('GET', path, undefined, {}, ATTEMPT_MS);
      if (answer && !answer.isLate) return answer;
      if (performance.now() > deadline) throw new Error(`GET ${path} is never answered`);
      await this.recovered();
    }
  }

  /** All pages of a list. What others add meanwhile moves the rest, so that a row may be on two pages: it counts once. */
  async list<T extends object>(path: string): Promise<T[]> {
    const rows = new Map<unknown, T>();
    for (let page = 1; ; page += 1) {
      const { status, json, text } = await this.read(
        `${path}${path.includes('?') ? '&' : '?'}limit=50&page=${page}`,
      );
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
      for (const row of json as T[]) rows.set('id' in row ? row.id : row, row);
      if ((json as T[]).length < 50) return [...rows.values()];
    }
  }

  /** Resolves when the api serves again, or when it has not for long. */
  async recovered(): Promise<void> {
    const deadline = performance.now() + GIVE_UP_MS;
    while (performance.now() < deadline) {
      await sleep(AGAIN_MS);
      const response = await fetch(`${this.address()}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => undefined,
      );
      await response?.arrayBuffer().catch(() => undefined);
      if (response?.ok) return;
    }
  }

  async #answer(
    method: string,
    path: string,
    body: unknown,
    key: Record<string, string>,
    patience: number,
  ): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${this.address()}/api/v1${path}`, {
        method,
        redirect: 'manual',
        headers: { authorization: this.authorization, ...key, ...(body !== undefined && JSON_TYPE) },
        signal: AbortSignal.timeout(patience),
        ...(body !== undefined && { body: stringifyJson(body) }),
      });
      const text = await response.text();
      const { status } = response;
      if (status >= 500) {
        this.tally.failed += 1;
        if (status === 500) this.tally.internal += 1;
        return undefined;
      }
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const isLate = response.headers.get('preference-applied') === 'respond-async';
      return { status, text, isLate, json: isJson && text !== '' ? parseJson(text) : undefined };
    } catch {
      this.tally.lost += 1;
      return undefined;
    }
  }
}
