import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isReady, type Stop } from '../../src/start/messages.js';
import type { Bench } from './question.js';

export interface ProgramOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly execArgv?: readonly string[];
  /** A file descriptor for standard output. */
  readonly output?: number;
}

export interface Program {
  readonly process: ChildProcess;
  /** Where it listens. */
  readonly address: string;
  stop(): Promise<void>;
}

/** What node is started with where the run keeps profiles. */
export const profiling = ({ profile }: Pick<Bench, 'profile'>): string[] =>
  profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];

/** Starts a program that calls `runChild` and waits until it is ready. */
export async function startProgram(
  entry: URL,
  { environment = {}, execArgv = [], output }: ProgramOptions = {},
): Promise<Program> {
  const child = fork(fileURLToPath(entry), {
    env: { ...process.env, ...environment },
    execArgv: [...execArgv],
    stdio: ['ignore', output ?? 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    child.on('message', (message) => {
      if (isReady(message)) resolve(message.address ?? '');
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(new Error(`${entry.pathname} did not start (${signal ?? code})`));
    });
  });
  return {
    process: child,
    address,
    async stop() {
      const order: Stop = { type: 'stop' };
      if (child.connected) child.send(order, () => undefined); // it may have ended meanwhile
      await exited;
    },
  };
}
