import { text } from 'node:stream/consumers';
import { startProgram } from '../../src/git/program/starter/starter.js';

/** A program that has ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ToRun {
  readonly cwd: string;
  /** Its whole environment, but for the PATH, which is ours. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer | undefined;
  /** Kills it, and what it has started. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a program to its end, whatever comes of it. The product's starter starts it: a process that runs many tests is
 * large, and takes some 20 ms of CPU time for a program that it starts itself.
 */
export async function run(command: string, args: readonly string[], options: ToRun): Promise<Ran> {
  const { cwd, env, input = '', signal } = options;
  const program = await startProgram({ command, args, cwd, env: environment(env), channel: false });
  const kill = () => {
    try {
      process.kill(-program.pid, 'SIGKILL');
    } catch {
      // it has ended
    }
  };
  signal?.addEventListener('abort', kill);
  if (signal?.aborted) kill();
  program.stdin.end(input);
  try {
    const [{ code, stderr }, stdout] = await Promise.all([program.ended, text(program.stdout)]);
    return { code, stdout, stderr };
  } finally {
    signal?.removeEventListener('abort', kill);
    program.stdin.destroy();
  }
}

/** As `run`, for a program that succeeds: what it prints. Throws what it complains of otherwise. */
export async function output(command: string, args: readonly string[], options: ToRun): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout;
}

const environment = (env: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH ?? '',
  ...env,
});
