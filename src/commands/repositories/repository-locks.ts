import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { link, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { tryLock, tryLockOpen, type FileLock } from '../../files/file-lock.js';
import { unlessThere } from '../../files/presence.js';
import { commandQueues } from '../command-queues.js';
import { PendingRefs } from './pending-refs.js';

/**
 * How long others may hold a lock before their process is checked for being alive. The interval doubles each time,
 * because the check delays everyone who wants the lock.
 */
const DOUBT_MS = 100;
const LONGEST_DOUBT_MS = 3_200;
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
const PATIENCE_MS = 60_000;
const PROCESS = 'process-';

/**
 * Locks that let one process at a time work on the refs of a repository. Each process keeps a file locked for as long
 * as it lives. A repository's lock is a hard link to that file, so that one system call takes it, and its holder is
 * alive while the file is locked. Locks of dead processes are taken over. All processes must use the same file system.
 */
export class RepositoryLocks {
  /** The pending refs, shared by the same processes. */
  readonly pending: PendingRefs;
  readonly #folder: string;
  readonly #own: string;
  readonly #patienceMs: number;
  #process: FileLock | undefined;
  readonly #queues = commandQueues();

  /** `patienceMs`: for how long a lock is waited for; a minute by default. */
  constructor({
    dataDir,
    patienceMs = PATIENCE_MS,
  }: {
    readonly dataDir: string;
    readonly patienceMs?: number;
  }) {
    this.#patienceMs = patienceMs;
    this.#folder = join(dataDir, 'repositories', 'locks');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const id = randomUUID();
    const made = join(this.#folder, `new-${id}`);
    const lock = tryLock(made);
    if (!lock) throw new Error(`${made} is locked by somebody else`);
    this.#process = lock;
    this.#own = join(this.#folder, `${PROCESS}${id}`);
    renameSync(made, this.#own); // only now that it is locked, because otherwise it would look like a dead process's
    this.pending = new PendingRefs({ dataDir });
  }

  /** Runs `work` under the repository's lock. Waits for the lock for a minute, then refuses with 423. */
  run<T>(repositoryId: number, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    return this.#queues.run(String(repositoryId), async () => {
      const path = join(this.#folder, String(repositoryId));
      await this.#acquire(path, begun);
      try {
        return await work();
      } finally {
        await rm(path, { force: true });
      }
    });
  }

  /** Removes the files of dead processes. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (!name.startsWith(PROCESS) || path === this.#own) continue;
      await this.#whereDead(path, () => rm(path, { force: true }));
    }
  }

  /** Gives up the locks of this process, for others to take over. Can be called again. */
  close(): void {
    rmSync(this.#own, { force: true });
    this.#process?.release();
    this.#process = undefined;
  }

  /** `begun`: when the wait began, by `performance.now()`; others of this process may have been first in line since. */
  async #acquire(path: string, begun: number): Promise<void> {
    let [doubted, doubtMs] = [performance.now(), DOUBT_MS];
    for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      if (await linked(this.#own, path)) return;
      const now = performance.now();
      if (now - begun > this.#patienceMs)
        throw new DomainError('busy', 'repository.busy', 'the repository is busy: try again later');
      if (now - doubted > doubtMs) {
        [doubted, doubtMs] = [now, Math.min(2 * doubtMs, LONGEST_DOUBT_MS)];
        await this.#whereDead(path, () => rm(path, { force: true }));
      }
      await sleep(wait * (0.5 + Math.random()));
    }
  }

  /** Runs `act` if `path` is the file of a dead process. Locks the file meanwhile, so that nobody else does the same. */
  async #whereDead(path: string, act: () => Promise<void>): Promise<void> {
    const file = await open(path, 'r').catch(() => undefined);
    if (!file) return;
    try {
      if (!tryLockOpen(file.fd)) return;
      const [held, found] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
      if (held.ino === found?.ino) await act();
    } finally {
      await file.close(); // releases the lock as well
    }
  }
}

const linked = async (from: string, to: string): Promise<boolean> =>
  (await unlessThere(link(from, to).then(() => true))) ?? false;
