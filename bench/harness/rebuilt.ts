import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Projection } from '../../projections/projection.js';
import { profiling } from './program.js';
import type { Bench } from './question.js';

/** What the process that builds is asked for. */
export interface Rebuild {
  readonly url: string;
  /** Names of projections. */
  readonly projections: readonly string[];
  readonly until: string;
}

export interface Rebuilt {
  readonly events: number;
  readonly eventsPerSecond: number;
  /** The most that the process was resident with. */
  readonly peakMB: number;
}

/** As in `npm run rebuild`: a batch outlives two collections if the young generation is small. */
const YOUNG_OBJECTS = '--max-semi-space-size=32';

/** Builds read models anew beside those that are read, in a process of its own, and drops them. */
export async function rebuilt(
  bench: Bench,
  url: string,
  projections: readonly Projection[],
  until: bigint,
): Promise<Rebuilt> {
  const child = fork(fileURLToPath(new URL('./rebuild-process.js', import.meta.url)), {
    execArgv: [YOUNG_OBJECTS, ...profiling(bench)],
  });
  bench.onEnd(() => child.kill());
  const order: Rebuild = {
    url,
    projections: projections.map(({ name }) => name),
    until: String(until),
  };
  child.send(order);
  const [answer] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Rebuilt | number];
  if (typeof answer !== 'object') throw new Error(`the rebuild ended with ${answer}`);
  return answer;
}
