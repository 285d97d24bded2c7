import { GitError, GitLimitExceeded } from '../port/errors.js';
import type { ProgramOptions, RunningProgram } from '../port/programs.js';
import { runGit } from './run.js';
import { Slots } from '../../concurrency/slots.js';
import { Shares } from '../shares.js';

/**
 * The pools of slots. Programs that wait for each other must not share one: `short` programs, `transport` for git clients,
 * `files` for output streamed to a client, such as a file or a diff, `refs` for programs that hold locks of refs.
 */
export type Pool = 'short' | 'transport' | 'files' | 'refs';

/** The input and limits of a short program. Its timeout is half a minute by default. */
export interface ShortOptions extends ProgramOptions {
  readonly input?: string | Uint8Array;
  /** The exit codes that are no failure; by default only 0. */
  readonly codes?: readonly number[];
}

const GIB = 1024 ** 3;
/** The memory limit by pool. `transport` has enough for a history of millions of objects. */
const MEMORY: Readonly<Record<Pool, number>> = { short: GIB, transport: 4 * GIB, files: GIB, refs: GIB };

const SHORT_MS = 30_000;
/** The maximum output that is held as a whole. */
const SHORT_BYTES = 64 * 1024 * 1024;

/** Runs the git program, limited in number, time, memory and output. */
export class GitProgram {
  readonly #home: string;
  /** One repository has a share of each pool; of `files`, which are read as slowly as clients please, one client has. */
  readonly #pools: Readonly<Record<Pool, Shares>> = {
    short: new Shares(8, new Slots(16)),
    transport: new Shares(Infinity, new Slots(128)),
    files: new Shares(16, new Slots(64)),
    refs: new Shares(Infinity, new Slots(64)),
  };

  /** `home` is an empty folder. */
  constructor({ home }: { readonly home: string }) {
    this.#home = home;
  }

  /** Waits for a slot, and starts a program. Rejects with `GitBusy` if too many wait. */
  async start(
    pool: Pool,
    cwd: string,
    args: readonly string[],
    options: ProgramOptions = {},
  ): Promise<RunningProgram> {
    const giveBack = await this.#pools[pool].take(options.client ?? cwd, options.signal);
    try {
      const running = await runGit(args, { memoryBytes: MEMORY[pool], ...options, cwd, home: this.#home });
      running.ended.then(giveBack, giveBack);
      return running;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Runs a short program to its end; resolves with its exit code and its whole output, which is limited to 64 MiB. */
  async run(
    cwd: string,
    args: readonly string[],
    options: ShortOptions = {},
  ): Promise<{ readonly code: number; readonly stdout: Buffer }> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const code = await this.stream(cwd, args, options, (chunk) => {
      bytes += chunk.length;
      if (bytes > SHORT_BYTES) throw new GitLimitExceeded('bytes', `git ${args[0] ?? ''} said too much`);
      chunks.push(chunk);
    });
    return { code, stdout: Buffer.concat(chunks) };
  }

  /**
   * Runs a short program and calls `take` with its output as it arrives. If `take` returns `'enough'`, the program is killed
   * and its exit code counts as 0; if `take` throws, it is killed too. Resolves with the exit code.
   */
  async stream(
    cwd: string,
    args: readonly string[],
    { input, codes = [0], ...options }: ShortOptions,
    take: (chunk: Buffer) => unknown,
  ): Promise<number> {
    const running = await this.start('short', cwd, args, { timeoutMs: SHORT_MS, ...options });
    running.stdin.end(input);
    try {
      for await (const chunk of running.stdout as AsyncIterable<Buffer>) {
        if (take(chunk) !== 'enough') continue;
        running.kill();
        return 0;
      }
    } catch (error) {
      running.kill();
      throw error;
    }
    const { code, stderr } = await running.ended;
    if (code !== null && codes.includes(code)) return code;
    throw new GitError(`git ${args[0] ?? ''} ended with ${code ?? 'a signal'}: ${stderr.trim()}`);
  }
}
