import type { Duplex, Readable, Writable } from 'node:stream';

/** The settings and limits of a git program. Its pool is `transport` by default. */
export interface ProgramOptions {
  /** git settings in addition to the usual ones, such as `receive.maxInputSize`. */
  readonly config?: Readonly<Record<string, string>>;
  /** Environment variables in addition to the usual ones; only PATH is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kills the program and all that it started, when aborted. */
  readonly signal?: AbortSignal;
  /** No timeout by default; the caller then has to end the program. */
  readonly timeoutMs?: number;
  /** The limit of CPU time of each of its processes; an hour by default. Exceeding it rejects with `GitLimitExceeded`. */
  readonly cpuSeconds?: number;
  /** The memory limit of each of its processes, by default the pool's. Exceeding it rejects with `GitLimitExceeded`. */
  readonly memoryBytes?: number;
  /** Whether the program gets a socket as file descriptor 3, which its hooks inherit. */
  readonly channel?: boolean;
  /** Whoever reads the output of a program of the pool `files`: each client has a share of it. */
  readonly client?: string | undefined;
  /** The pool whose slot is used: `transport` for programs of git clients, `short` for those that such a program awaits. */
  readonly pool?: 'transport' | 'short';
}

/** How a program ended. The caller decides which exit codes mean success. */
export interface Ended {
  /** Null if a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it, or null. */
  readonly signal: NodeJS.Signals | null;
  /** The last 64 KiB of its standard error. */
  readonly stderr: string;
}

/** A running git program, in a process group of its own. */
export interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Our end of the socket, if one was asked for; the caller must end or destroy it. */
  readonly channel?: Duplex;
  /** Resolves when it has ended and its output was read; rejects if it could not start or exceeded a limit. */
  readonly ended: Promise<Ended>;
  /** Kills it and all that it started. */
  kill(): void;
  /** Kills only what it started. It then ends by itself, and removes its unfinished files, which `kill` leaves. */
  cutShort(): void;
}

/** Gives access to the git program itself, for transport. */
export interface Programs {
  /** The folder of all repositories, by the path that git's words have: without symbolic links. */
  readonly root: string;
  /**
   * Runs `git …` in the folder of a repository, with no configuration but ours, no prompts, no hooks (unless `config` names
   * some) and no network protocol. Waits if too many run already. Arguments from users must follow `--end-of-options`.
   */
  start(id: number, args: readonly string[], options?: ProgramOptions): Promise<RunningProgram>;
}
