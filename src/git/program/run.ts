import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Duplex, Writable } from 'node:stream';
import { GitError, GitLimitExceeded } from '../port/errors.js';
import type { Ended, ProgramOptions, RunningProgram } from '../port/programs.js';
import { gitEnvironment, type Surroundings } from './environment.js';

/** How much of a program's standard error is kept. */
const STDERR_BYTES = 64 * 1024;

/** The options of one program. Without `memoryBytes` or `timeoutMs` it has no such limit. */
export type RunOptions = ProgramOptions & Surroundings;

/** git's complaints when it cannot get more memory. */
const OUT_OF_MEMORY = /^fatal: .*(?:out of memory|mmap failed|cannot allocate memory)/im;

/** Limits git's memory, because a few bytes of trees can name more files than fit into memory, and git loads them all. */
const within = (memoryBytes: number, args: readonly string[]): [string, ...string[]] => [
  '/bin/sh',
  '-c',
  'ulimit -d "$0" 2> /dev/null; exec git "$@"',
  String(Math.floor(memoryBytes / 1024)),
  ...args,
];

/** Starts git as the leader of a process group, so that its child processes can be killed with it. */
export function runGit(args: readonly string[], options: RunOptions): RunningProgram {
  options.signal?.throwIfAborted();
  const child = spawnGit(args, options);
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  // If no file descriptors are left for its pipes, `stdin` is undefined, and node reports the error only later.
  if (!(child.stdin as Writable | undefined)) throw new GitError('git did not start: Too many open files');
  child.stdin.on('error', () => undefined); // it ended before it read everything: its exit code tells
  const channel = options.channel ? (child.stdio[3] as Duplex | undefined) : undefined;
  const kill = killing(child);
  const ended = endOf(child, { name: `git ${args[0] ?? ''}`, failed, kill }, options);
  ended.catch(() => undefined); // callers need not await it
  return { stdin: child.stdin, stdout: child.stdout, ...(channel && { channel }), ended, kill };
}

function spawnGit(args: readonly string[], options: RunOptions): ChildProcessWithoutNullStreams {
  const { cwd, home, config, env, memoryBytes } = options;
  const [command, ...rest] = memoryBytes === undefined ? ['git', ...args] : within(memoryBytes, args);
  return spawn(command, rest, {
    cwd,
    env: gitEnvironment({ cwd, home }, { config, env }),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(options.channel ? (['pipe'] as const) : [])],
  });
}

/** Returns a function that kills a program's process group: its children may outlive it, and hold its pipes open. */
function killing(child: ChildProcessWithoutNullStreams): () => void {
  let closed = false;
  child.once('close', () => (closed = true));
  return () => {
    if (child.pid === undefined || closed) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL'); // it has not become a leader yet, or nothing is left of it
    }
  };
}

interface Begun {
  /** The program's name in errors. */
  readonly name: string;
  /** Resolves with the error if it could not be started. */
  readonly failed: Promise<Error>;
  readonly kill: () => void;
}

/** Waits until a program and all that hold its pipes have ended. Rejects if it did not start or exceeded a limit. */
function endOf(
  child: ChildProcessWithoutNullStreams,
  { name, failed, kill }: Begun,
  { signal, timeoutMs, memoryBytes }: RunOptions,
): Promise<Ended> {
  let stderr = Buffer.alloc(0);
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES);
  });
  let late = false;
  const timer =
    timeoutMs !== undefined &&
    setTimeout(() => {
      late = true;
      kill();
    }, timeoutMs);
  signal?.addEventListener('abort', kill, { once: true });
  const settle = () => {
    if (timer) clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  };
  const failureOf = (code: number | null): Error | undefined => {
    if (signal?.aborted) return signal.reason as Error;
    if (late) return new GitLimitExceeded('time', `${name} took over ${timeoutMs ?? 0} ms`);
    if (code !== 0 && OUT_OF_MEMORY.test(stderr.toString()))
      return new GitLimitExceeded('memory', `${name} took over ${memoryBytes ?? 0} bytes`);
    return undefined;
  };
  return new Promise((resolve, reject) => {
    void failed.then((error) => {
      settle();
      reject(new GitError(`git did not start: ${error.message}`, { cause: error }));
    });
    child.once('close', (code) => {
      settle();
      const failure = failureOf(code);
      if (failure) reject(failure);
      else resolve({ code, stderr: stderr.toString() });
    });
  });
}
