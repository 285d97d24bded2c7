import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench } from './question.js';

/** Of one delivery: which issue it told of, and when it came in, as `Date.now()` has it. */
export interface Arrival {
  readonly issueId: number;
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** Resolves with all arrivals when there are at least `count`, and forgets them; rejects after two minutes. */
  arrivals(count: number): Promise<readonly Arrival[]>;
}

const PATIENCE_MS = 120_000;

/** A receiver of webhooks in a process of its own. */
export async function startReceiver(bench: Bench): Promise<Receiver> {
  const child = fork(fileURLToPath(new URL('./receiver-process.js', import.meta.url)));
  bench.onEnd(() => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/`,
    async arrivals(count) {
      child.send(count);
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const [arrivals] = (await once(child, 'message', { signal })) as [readonly Arrival[]];
      return arrivals;
    },
  };
}
