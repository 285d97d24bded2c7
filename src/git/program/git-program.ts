import { GitBusy, GitError, GitLimitExceeded } from '../port/errors.js';
import type { ProgramOptions, RunningProgram } from '../port/programs.js';
import { runGit } from './run.js';
import { Slots } from '../../slots.js';

/**
 * Programs that wait for each other must not share slots: short ones, those of git clients far away, those whose
 * output is as long as a file or a difference and goes to whoever takes it, locks of refs.
 */
export type Pool = 'short' | 'transport' | 'files' | 'refs';

/** What a short program reads and how much it may print; it has half a minute unless `timeoutMs` says otherwise. */
export interface ShortOptions extends ProgramOptions {
  readonly input?: string | Uint8Array;
  /** Refused with `GitLimitExceeded` beyond. 64 MiB without. */
  readonly maxBytes?: number;
  /** Exit codes that are answers; 0 alone without. */
  readonly codes?: readonly number[];
}

const GIB = 1024 ** 3;
/** What a history of millions of objects takes; short programs look at a part of it. */
const MEMORY: Readonly<Record<Pool, number>> = { short: GIB, transport: 4 * GIB, files: GIB, refs: GIB };

/** For each pool. Those who hung up wait too: what they asked for would be done before anything that is asked for later. */
export const WAITING_AT_MOST = 1_000;

const SHORT_MS = 30_000;
const SHORT_BYTES = 64 * 1024 * 1024;

/** The git program: bounded in number, in time and in what it says. */
export class GitProgram {
  readonly #home: string;
  readonly #slots: Readonly<Record<Pool, Slots>> = {
    short: new Slots(16),
    transport: new Slots(128),
    files: new Slots(64),
    refs: new Slots(64),
  };

  /** `home` is an empty folder. */
  constructor({ home }: { readonly home: string }) {
    this.#home = home;
  }

  /** Waits for a slot, and starts. Rejects with `GitBusy` where too many wait. */
  async start(
    pool: Pool,
    cwd: string,
    args: readonly string[],
    options: ProgramOptions = {},
  ): Promise<RunningProgram> {
    const slots = this.#slots[pool];
    if (slots.waiting >= WAITING_AT_MOST) throw new GitBusy(`${slots.waiting} wait for git already`);
    const giveBack = await slots.take(options.signal);
    try {
      const running = runGit(args, { memoryBytes: MEMORY[pool], ...options, cwd, home: this.#home });
      running.ended.then(giveBack, giveBack);
      return running;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Runs a short program to its end: its exit code, and all that it printed. */
  async run(
    cwd: string,
    args: readonly string[],
    options: ShortOptions = {},
  ): Promise<{ readonly code: number; readonly stdout: Buffer }> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const code = await this.stream(cwd, args, options, (chunk) => {
      bytes += chunk.length;
      if (bytes > (options.maxBytes ?? SHORT_BYTES))
        throw new GitLimitExceeded('bytes', `git ${args[0] ?? ''} said too much`);
      chunks.push(chunk);
    });
    return { code, stdout: Buffer.concat(chunks) };
  }

  /**
   * Runs a short program and hands on what it prints as it comes. Where `take` says `'enough'` the program is ended
   * and its exit code taken as 0; where it throws, the program ends too.
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
