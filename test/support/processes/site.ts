import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { dataDir } from '../data-dir.js';
import { isRunning, runProgram, until, type RunAs, type RunningProgram } from '../process.js';
import { familyOf, type Role } from './family.js';

export const ADMIN = { username: 'root', password: 'a good password' };

/** Characters of the log of earlier starts. */
const KEPT_LOG = 1_000_000;

/** What an operator's program gave back. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What `npm start` runs, with an embedded PostgreSQL, on a `DATA_DIR` of its own. */
export class Site {
  #supervisor: RunningProgram | undefined;
  #loggedBefore = '';
  #address = '';
  readonly #data: Awaited<ReturnType<typeof dataDir>>;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(
    data: Awaited<ReturnType<typeof dataDir>>,
    environment: NodeJS.ProcessEnv,
    private readonly as: RunAs = {},
  ) {
    this.#data = data;
    this.#environment = {
      DATA_DIR: data.path,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'warn',
      ...environment,
    };
  }

  get dataDir(): string {
    return this.#data.path;
  }

  get address(): string {
    return this.#address;
  }

  /** Begins to start; for tests that kill it before it serves. */
  launch(): RunningProgram {
    this.#loggedBefore = this.logged().slice(-KEPT_LOG);
    const environment = { PORT: '0', ...this.#environment };
    return (this.#supervisor = runProgram('src/start/main.js', [], environment, this.as));
  }

  /** Starts it, and resolves when it says where it listens. */
  async start(): Promise<void> {
    const [, address = ''] = await this.launch().prints(/listens on (\S+)\n/);
    this.#address = address;
  }

  /** Stops it in order; nothing of it runs when this resolves. */
  async stop(): Promise<void> {
    this.#supervisor?.process.kill('SIGTERM');
    await this.#supervisor?.ended();
    await this.#isGone();
  }

  /** What it has logged, the last million characters of it at least. */
  logged(): string {
    return this.#loggedBefore + (this.#supervisor?.output() ?? '');
  }

  /** `kill -9` of one of its processes; of the next one where it is just being started. */
  async kill(role: Role): Promise<void> {
    const pids = await this.#running(role);
    for (const pid of pids) send(pid, 'SIGKILL');
    for (const pid of pids) await until(async () => !(await isRunning(pid)));
  }

  /** Stops one of its processes, and those that it has started, where they are; gives what lets them go on. */
  async pause(role: Role): Promise<() => void> {
    const own = new Set(await this.#running(role));
    const family = familyOf(this.dataDir);
    const pids = family.filter(({ pid, parent }) => own.has(pid) || own.has(parent)).map(({ pid }) => pid);
    for (const pid of pids) send(pid, 'SIGSTOP');
    return () => {
      for (const pid of pids) send(pid, 'SIGCONT');
    };
  }

  /** `kill -9` of everything at once. */
  async killEverything(): Promise<void> {
    await this.#endEverything('SIGKILL');
  }

  async #endEverything(signalOfPostgres: NodeJS.Signals): Promise<void> {
    await until(() => {
      const left = familyOf(this.dataDir); // in the end, what was being started just then
      const servers = new Set(left.filter(({ role }) => role === 'postgres').map(({ pid }) => pid));
      for (const { pid, parent } of left)
        send(pid, servers.has(pid) || servers.has(parent) ? signalOfPostgres : 'SIGKILL');
      return left.length === 0;
    });
    await this.#supervisor?.ended();
  }

  /** Resolves when `/readyz` says so. */
  async isReady(): Promise<void> {
    for (;;) {
      const answer = await fetch(`${this.#address}/readyz`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return;
      await sleep(20);
    }
  }

  /** Runs an operator's program, `dist/<path>`, on the same data. */
  run(path: string, ...args: string[]): Promise<Finished> {
    return this.runWith('', path, ...args);
  }

  /** The same, with this on its standard input. */
  runWith(input: string, path: string, ...args: string[]): Promise<Finished> {
    const entry = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
    const env = { PATH: process.env.PATH, ...this.#environment };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [entry, ...args], { env }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
      child.stdin?.on('error', () => undefined).end(input); // most read nothing of it
    });
  }

  audit(...args: string[]): Promise<Finished> {
    return this.run('src/audit/main.js', ...args);
  }

  rehearse(...args: string[]): Promise<Finished> {
    return this.run('src/rehearsal/main.js', ...args);
  }

  rebuild(...args: string[]): Promise<Finished> {
    return this.run('projections/rebuild/main.js', ...args);
  }

  /** Ends whatever runs and removes the data. */
  async remove(): Promise<void> {
    await this.#endEverything('SIGQUIT'); // or the shared memory of PostgreSQL would outlast its data
    await this.#data.remove();
  }

  /** Never none: what is tried on a process must not pass for want of one. */
  async #running(role: Role): Promise<number[]> {
    let pids: number[] = [];
    await until(() => {
      pids = familyOf(this.dataDir).flatMap((member) => (member.role === role ? [member.pid] : []));
      return pids.length > 0;
    });
    return pids;
  }

  #isGone(): Promise<void> {
    return until(() => familyOf(this.dataDir).length === 0);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
