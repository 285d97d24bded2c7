import { spawn } from 'node:child_process';
import type { Duplex, Writable } from 'node:stream';
import { GitError, GitLimitExceeded } from '../port/errors.js';
import type { Ended, ProgramOptions, RunningProgram } from '../port/programs.js';
import { gitEnvironment, type Surroundings } from './environment.js';

/** How much of what a program complains is kept. */
const STDERR_BYTES = 64 * 1024;

/** How one program is run; without `memoryBytes` or `timeoutMs` it has no such bound. */
export type RunOptions = ProgramOptions & Surroundings;

/** What git says when it is given no more. */
const OUT_OF_MEMORY = /^fatal: .*(?:out of memory|mmap failed|cannot allocate memory)/im;

/** A few bytes of trees can name more files than any memory holds, and git holds them all. */
const within = (memoryBytes: number, args: readonly string[]): [string, ...string[]] => [
  '/bin/sh',
  '-c',
  'ulimit -d "$0" 2> /dev/null; exec git "$@"',
  String(Math.floor(memoryBytes / 1024)),
  ...args,
];

/** Starts git as the leader of a process group, so that what it started ends with it. */
export function runGit(args: readonly string[], options: RunOptions): RunningProgram {
  const { cwd, home, config, env, signal, timeoutMs, memoryBytes } = options;
  signal?.throwIfAborted();
  const [command, ...rest] = memoryBytes === undefined ? ['git', ...args] : within(memoryBytes, args);
  const child = spawn(command, rest, {
    cwd,
    env: gitEnvironment({ cwd, home }, { config, env }),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(options.channel ? (['pipe'] as const) : [])],
  });
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  // Where there is no descriptor left for its pipes, it has none; why that is node tells only later.
  if (!(child.stdin as Writable | undefined)) throw new GitError('git did not start: Too many open files');
  const channel = options.channel ? (child.stdio[3] as Duplex | undefined) : undefined;
  let closed = false;
  // What it started may go on, and hold its pipes, when it has ended itself.
  const kill = () => {
    if (child.pid === undefined || closed) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL'); // it has not become a leader yet, or nothing is left of it
    }
  };

  let stderr = Buffer.alloc(0);
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES);
  });
  child.stdin.on('error', () => undefined); // it ended before it read everything: its exit code tells
  const ended = new Promise<Ended>((resolve, reject) => {
    let late = false;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            late = true;
            kill();
          }, timeoutMs);
    signal?.addEventListener('abort', kill, { once: true });
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      outcome();
    };
    void failed.then((error) => {
      settle(() => {
        reject(new GitError(`git did not start: ${error.message}`, { cause: error }));
      });
    });
    child.once('close', (code) => {
      closed = true;
      settle(() => {
        if (signal?.aborted) reject(signal.reason as Error);
        else if (late)
          reject(new GitLimitExceeded('time', `git ${args[0] ?? ''} took over ${timeoutMs ?? 0} ms`));
        else if (code !== 0 && OUT_OF_MEMORY.test(stderr.toString()))
          reject(new GitLimitExceeded('memory', `git ${args[0] ?? ''} took over ${memoryBytes ?? 0} bytes`));
        else resolve({ code, stderr: stderr.toString() });
      });
    });
  });
  ended.catch(() => undefined); // whoever looks at it is told; nobody need
  return { stdin: child.stdin, stdout: child.stdout, ...(channel && { channel }), ended, kill };
}
