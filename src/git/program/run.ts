import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GitBusy, GitError, GitLimitExceeded } from '../port/errors.js';
import type { Ended, ProgramOptions, RunningProgram } from '../port/programs.js';
import { gitEnvironment } from './environment.js';
import type { Program } from './starter/messages.js';
import { NotStarted, startProgram, type Started } from './starter/starter.js';

/** The options of one program. */
export type RunOptions = ProgramOptions & {
  readonly cwd: string;
  readonly home: string;
  readonly memoryBytes: number;
};

/** git's complaints when it cannot get more memory. */
const OUT_OF_MEMORY = /^fatal: .*(?:out of memory|mmap failed|cannot allocate memory)/im;

/** The limit of CPU time unless another is given: a few kilobytes of deltas can be made to take git a minute each. */
const CPU_SECONDS = 3600;
/** The signal by which the kernel ends what has taken its CPU time. */
const OUT_OF_CPU = 'SIGXCPU';
/** The signal by which a git without a limit of its own ends at directories within directories, many thousands deep. */
const OUT_OF_STACK = 'SIGSEGV';
/** git's complaint about the same since it has such a limit. */
const TOO_DEEP = 'exceeded maximum allowed tree depth';
/** Exchanges file descriptors 2 and 3: see `Program.channel`. */
const EXCHANGED = 'exec 4>&3 3>&2 2>&4 4>&-;';

/** Starts git as the leader of a process group, so that its child processes can be killed with it. */
export async function runGit(args: readonly string[], options: RunOptions): Promise<RunningProgram> {
  options.signal?.throwIfAborted();
  const started = await startProgram(programOf(args, options)).catch((cause: unknown) => {
    throw failureToStart(cause);
  });
  const { stdin, stdout, channel } = started;
  const { kill, cutShort } = killing(started);
  const ended = endOf(started, { name: `git ${args[0] ?? ''}`, kill }, options);
  ended.catch(() => undefined); // callers need not await it
  return { stdin, stdout, ...(channel && { channel }), ended, kill, cutShort };
}

function programOf(args: readonly string[], options: RunOptions): Program {
  const { cwd, home, config, env, memoryBytes, cpuSeconds = CPU_SECONDS, channel = false } = options;
  const limits = [
    `-S -t ${cpuSeconds}`,
    // Because a few bytes of trees can name more files than fit into memory, and git loads them all.
    `-d ${Math.floor(memoryBytes / 1024)}`,
    // What the kernel ends would otherwise leave its memory as a file in the repository, where a system lets it.
    '-c 0',
  ].map((limit) => `ulimit ${limit} 2> /dev/null;`);
  return {
    command: '/bin/sh',
    args: ['-c', `${channel ? EXCHANGED : ''} ${limits.join(' ')} exec "$0" "$@"`, 'git', ...args],
    cwd,
    env: gitEnvironment(home, { config, env }),
    channel,
  };
}

function failureToStart(cause: unknown): Error {
  const { message } = cause as Error;
  if (/\bE[MN]FILE\b/.test(message)) return new GitError('git did not start: Too many open files', { cause });
  const Failure = cause instanceof NotStarted ? GitError : GitBusy;
  return new Failure(`git did not start: ${message}`, { cause });
}

/** Returns functions that kill a program's process group, as its children may outlive it, and its children alone. */
function killing({ pid, stdout, ended }: Started): Pick<RunningProgram, 'kill' | 'cutShort'> {
  let isOver = false;
  void Promise.allSettled([ended, closed(stdout)]).then(() => (isOver = true));
  const end = (id: number) => {
    if (isOver) return;
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // nothing is left of it
    }
  };
  return {
    kill() {
      end(-pid);
    },
    cutShort() {
      for (const child of childrenOf(pid)) end(child);
    },
  };
}

/** Returns the processes that a process has started and that have not ended; none if it has ended itself. */
function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return (list.match(/\d+/g) ?? []).map(Number);
  } catch {
    return [];
  }
}

interface Begun {
  /** The program's name in errors. */
  readonly name: string;
  readonly kill: () => void;
}

/** Waits until a program has ended and its output was read. Rejects if it exceeded a limit. */
async function endOf(
  { stdin, stdout, ended }: Started,
  { name, kill }: Begun,
  { signal, timeoutMs, memoryBytes }: RunOptions,
): Promise<Ended> {
  let late = false;
  const timer =
    timeoutMs !== undefined &&
    setTimeout(() => {
      late = true;
      kill();
    }, timeoutMs);
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted) kill();
  const failureOf = ({ code, signal: endedBy, stderr }: Ended): Error | undefined => {
    if (signal?.aborted) return signal.reason as Error;
    if (late) return new GitLimitExceeded('time', `${name} took over ${timeoutMs ?? 0} ms`);
    if (endedBy === OUT_OF_CPU) return new GitLimitExceeded('time', `${name} took too much CPU`);
    if (code !== 0 && OUT_OF_MEMORY.test(stderr))
      return new GitLimitExceeded('memory', `${name} took over ${memoryBytes} bytes`);
    if (endedBy === OUT_OF_STACK || (code !== 0 && stderr.includes(TOO_DEEP)))
      return new GitLimitExceeded('memory', `${name} took more stack than it has`);
    return undefined;
  };
  const wasRead = closed(stdout);
  try {
    const [how] = await Promise.allSettled([ended]);
    if (how.status === 'fulfilled') stdin.destroy();
    await nextTurn(); // whoever started it may only now begin to read
    if (!isRead(stdout)) stdout.resume();
    await wasRead;
    if (how.status === 'rejected') throw new GitBusy(`how ${name} ended is unknown`, { cause: how.reason });
    const failure = failureOf(how.value);
    if (failure) throw failure;
    return how.value;
  } finally {
    if (timer) clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
    stdin.destroy();
  }
}

/** Tells whether anybody reads a stream, which would never come to its end otherwise. */
const isRead = (stream: Readable) => stream.listenerCount('data') > 0 || stream.listenerCount('readable') > 0;

const closed = (stream: Readable): Promise<void> =>
  stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once('close', resolve));
