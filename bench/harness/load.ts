import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench } from './question.js';

export interface Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
}

/** What the load generator is asked to do. */
export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What each client asks for, over and over, one request after the other; as many clients as lists. */
  readonly clients: readonly (readonly Request[])[];
  /** For so many seconds, or until so many requests are answered. */
  readonly length: { readonly seconds: number } | { readonly requests: number };
}

/** What it saw. */
export interface Served {
  readonly requestsPerSecond: number;
  /** Answers other than 2xx, lost connections and time-outs. */
  readonly failures: number;
}

/** A load generator in a process of its own. Gives requests per second; rejects where a request failed. */
export function startLoad(bench: Bench): (load: Load) => Promise<number> {
  const child = fork(fileURLToPath(new URL('./load-process.js', import.meta.url)));
  bench.onEnd(() => child.kill());
  return async (load) => {
    child.send(load);
    const [served] = (await once(child, 'message')) as [Served];
    if (served.failures > 0) throw new Error(`${served.failures} requests to ${load.url} failed`);
    return served.requestsPerSecond;
  };
}
