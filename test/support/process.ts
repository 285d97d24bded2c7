import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A program under test: what it has printed so far, and its end. */
export interface RunningProgram {
  readonly process: ChildProcess;
  readonly pid: number;
  output(): string;
  /** Resolves when the output matches; rejects, with the output, when the program ends first. */
  prints(pattern: RegExp): Promise<RegExpMatchArray>;
  ended(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Another user than this process's, or a process group of its own, as a terminal has for what it runs. */
export type RunAs = Pick<SpawnOptions, 'uid' | 'gid' | 'detached'>;

/** Runs `dist/<path>` with exactly this environment and PATH. */
export function runProgram(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  as: RunAs = {},
): RunningProgram {
  const entry = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let isOver = false;
  const closed = once(child, 'close').then(() => {
    isOver = true;
    return { code: child.exitCode, signal: child.signalCode };
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    output: () => output,
    ended: () => closed,
    async prints(pattern) {
      for (;;) {
        const match = pattern.exec(output);
        if (match) return match;
        // Not where it has ended alone: what it printed may still be on its way.
        if (isOver) throw new Error(`ended without printing ${pattern.source}:\n${output}`);
        await sleep(10);
      }
    },
  };
}

/** Whether a process runs; one that has ended and waits for its parent to notice does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

/** Resolves when `condition` holds; mocha's time limit is the only one. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}
