import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '../logging/logger.js';
import { pause } from '../concurrency/pause.js';
import { EXIT_PASSING, isReady, type Ready, type Stop } from './messages.js';

/** A program of the installation: the path of a compiled module that calls `runChild`. */
export interface ChildProgram {
  readonly name: string;
  readonly entry: string;
}

/**
 * The options of node for every child: half of its default room for young objects. Garbage of loading the code stays
 * resident there, some 20 MB with the default.
 */
export const CHILD_OPTIONS: readonly string[] = ['--max-semi-space-size=8'];
const FIRST_DELAY_MS = 200;
/**
 * The maximum delay before a restart. With the time of the start it is shorter than callers' reads wait for their writes.
 */
const LONGEST_DELAY_MS = 2_000;
/** A child that ran for this long counts as healthy: after its next failure, delays begin anew. */
const HEALTHY_MS = 30_000;
/** How many times a child may be killed before it is ever ready. Where memory is too short for it, it is each time. */
const MOST_KILLS = 6;

/** A child process that is started, restarted when it dies, and stopped. */
export class SupervisedChild {
  readonly name: string;
  readonly #entry: string;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #process: ChildProcess | undefined;
  #everReady = false;

  /** The children inherit `lockFd`, so that the lock of the data is released only when the last of them has ended. */
  constructor(
    program: ChildProgram,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly lockFd: number,
    log: Logger,
  ) {
    this.name = program.name;
    this.#entry = program.entry;
    this.#log = log.child({ child: program.name });
  }

  /**
   * Starts the child and resolves when it is ready for the first time. Rejects if it ends before that by itself, because a
   * program that never worked would fail again, or was killed time and again. It is restarted if it was killed a few times,
   * if what made it end may pass, and whenever it ends afterwards.
   */
  start(): Promise<Ready> {
    return new Promise((resolve, reject) => {
      void this.#run(resolve, reject);
    });
  }

  /** Asks the child to stop and resolves when it has ended. When `deadline` is aborted, the child is killed. */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopped.abort();
    const child = this.#process;
    if (!child || hasEnded(child)) return;
    const ended = once(child, 'exit');
    const order: Stop = { type: 'stop' };
    if (child.connected) child.send(order, () => undefined); // the child may be ending already
    const kill = () => {
      this.#log.warn('did not stop in time: killed');
      child.kill('SIGKILL');
    };
    if (deadline.aborted) kill();
    deadline.addEventListener('abort', kill);
    await ended;
    deadline.removeEventListener('abort', kill);
    if (child.exitCode) this.#log.warn({ code: child.exitCode }, 'did not stop in order');
  }

  async #run(onReady: (ready: Ready) => void, onFailure: (error: Error) => void): Promise<void> {
    let delay = FIRST_DELAY_MS;
    let kills = 0;
    while (!this.#isStopped()) {
      const startedAt = performance.now();
      const { code, signal } = await this.#runOnce(onReady).catch((error: unknown) => {
        this.#log.error({ err: error }, 'could not be started');
        return { code: 1, signal: null };
      });
      if (this.#isStopped()) return;
      if (code === null) kills += 1;
      if (!this.#everReady && code !== EXIT_PASSING && (code !== null || kills === MOST_KILLS)) {
        const how = code === null ? `killed ${kills} times, as where memory is short` : `status ${code}`;
        onFailure(new Error(`${this.name} did not start (${how})`));
        return;
      }
      if (performance.now() - startedAt > HEALTHY_MS) delay = FIRST_DELAY_MS;
      this.#log.error({ code, signal, delay }, 'ended unexpectedly: starting it again');
      await pause(delay, this.#stopped.signal);
      delay = Math.min(delay * 2, LONGEST_DELAY_MS);
    }
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #runOnce(onReady: (ready: Ready) => void): Promise<{ code: number | null; signal: string | null }> {
    // Detached, so that Ctrl-C on the terminal reaches only the supervisor, which stops the children in order.
    const child = fork(this.#entry, {
      detached: true,
      execArgv: [...process.execArgv, ...CHILD_OPTIONS],
      env: this.environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', this.lockFd],
    });
    this.#process = child;
    child.on('message', (message) => {
      if (!isReady(message)) return;
      if (this.#everReady) this.#log.info('runs again');
      this.#everReady = true;
      onReady(message);
    });
    return new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.once('error', (error) => {
        this.#log.error({ err: error }, 'could not be started');
        if (child.pid === undefined) resolve({ code: 1, signal: null });
      });
    });
  }
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null;
