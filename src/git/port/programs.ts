import type { Duplex, Readable, Writable } from 'node:stream';

/** What a git program is given beside its arguments, and its bounds. Its pool is `transport` where none is named. */
export interface ProgramOptions {
  /** Settings beside the usual ones, such as `receive.maxInputSize`. */
  readonly config?: Readonly<Record<string, string>>;
  /** Variables beside the usual ones; nothing is inherited but PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the program and all that it started. */
  readonly signal?: AbortSignal;
  /** None without: the caller ends it. */
  readonly timeoutMs?: number;
  /** Of each of its processes; more is refused with `GitLimitExceeded`. Where it is absent it is what the pool gives. */
  readonly memoryBytes?: number;
  /** Gives the program a socket as its descriptor 3, which it hands down to its hooks. */
  readonly channel?: boolean;
  /** Those of clients far away have places of their own; `short` is for what such a program waits for. */
  readonly pool?: 'transport' | 'short';
}

/** How a program ended. Any exit code may be an answer: whoever started it judges that. */
export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  /** The end of what it said on its standard error, 64 KiB at most. */
  readonly stderr: string;
}

/** A git program under way, in a process group of its own. */
export interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Our end of the socket that was asked for; whoever asked ends or destroys it. */
  readonly channel?: Duplex;
  /** Resolves when it has ended and its output was read; rejects where it could not start or ran out of time. */
  readonly ended: Promise<Ended>;
  /** Ends it with all that it started. */
  kill(): void;
}

/** The git program itself, for transport. */
export interface Programs {
  /**
   * Runs `git …` in the folder of a repository, with no configuration but ours, no prompts, no hooks (unless
   * `config` names some) and no protocol. Waits where many run already. What a caller gave must follow
   * `--end-of-options`.
   */
  start(id: number, args: readonly string[], options?: ProgramOptions): Promise<RunningProgram>;
}
