import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from '../logger.js';
import { pause } from '../pause.js';
import { isReady, type Ready, type Stop } from './messages.js';

/** A program of the installation: the path of a compiled module that calls `runChild`. */
export interface ChildProgram {
  readonly name: string;
  readonly entry: string;
}

/** Half of node's room for young objects, in MiB: what loading the code leaves behind in it stays resident, some 20 MB. */
const MODEST = ['--max-semi-space-size=8'];
const FIRST_DELAY_MS = 200;
/** Callers' reads wait for their writes while a projector is away: longer than this and a start takes together. */
const LONGEST_DELAY_MS = 2_000;
/** A child that served for so long counts as healthy: its next failure is the first again. */
const HEALTHY_MS = 30_000;

/** One child process: started, started again when it dies, and stopped. */
export class SupervisedChild {
  readonly name: string;
  readonly #entry: string;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #process: ChildProcess | undefined;
  #everReady = false;

  /** The children keep `lockFd` open: the lock of the data is free only when the last of them is gone. */
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
   * Starts the child and resolves when it is ready for the first time. Rejects when it ends itself before that: what
   * never worked will not by trying again. From then on it is started again whenever it ends.
   */
  start(): Promise<Ready> {
    return new Promise((resolve, reject) => {
      void this.#run(resolve, reject);
    });
  }

  /** Asks the child to stop and resolves when it has ended, killed if need be when `deadline` is aborted. */
  async stop(deadline: AbortSignal): Promise<void> {
    this.#stopped.abort();
    const child = this.#process;
    if (!child || hasEnded(child)) return;
    const ended = once(child, 'exit');
    const order: Stop = { type: 'stop' };
    if (child.connected) child.send(order, () => undefined); // it may be dying already
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
    while (!this.#isStopped()) {
      const startedAt = performance.now();
      const { code, signal } = await this.#runOnce(onReady).catch((error: unknown) => {
        this.#log.error({ err: error }, 'could not be started');
        return { code: 1, signal: null };
      });
      if (this.#isStopped()) return;
      if (!this.#everReady && code !== null) {
        onFailure(new Error(`${this.name} did not start (status ${code})`));
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
    // Detached: Ctrl-C on the terminal reaches the supervisor alone, which stops the children in order.
    const child = fork(this.#entry, {
      detached: true,
      execArgv: [...process.execArgv, ...MODEST],
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
