import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench } from './question.js';

export interface Request {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'POST';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  /** Beside those of the load. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the load generator is asked to do. */
export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A list of requests for each client, which repeats them one after the other. */
  readonly clients: readonly (readonly Request[])[];
  /** For so many seconds, or until so many requests are answered. */
  readonly length: { readonly seconds: number } | { readonly requests: number };
}

/** What the load generator measured. */
export interface Served {
  readonly requestsPerSecond: number;
  /** Milliseconds that 99 of 100 requests took at most. */
  readonly p99: number;
  /** Answers other than 2xx, lost connections and time-outs. */
  readonly failures: number;
}

/** Starts a load generator in its own process. Its promise rejects if a request failed. */
export function startObserver(bench: Bench): (load: Load) => Promise<Served> {
  const child = fork(fileURLToPath(new URL('./load-process.js', import.meta.url)));
  bench.onEnd(() => child.kill());
  return async (load) => {
    child.send(load);
    const [served] = (await once(child, 'message')) as [Served];
    if (served.failures > 0) throw new Error(`${served.failures} requests to ${load.url} failed`);
    return served;
  };
}

/** Like `startObserver`, but resolves with only the requests per second. */
export function startLoad(bench: Bench): (load: Load) => Promise<number> {
  const observe = startObserver(bench);
  return async (load) => (await observe(load)).requestsPerSecond;
}

/** That many clients which all ask for the same. */
export const alike = (clients: number, ...requests: readonly Request[]): Request[][] =>
  Array.from({ length: clients }, () => [...requests]);
