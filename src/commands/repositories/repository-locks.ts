import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { link, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { tryLock, tryLockOpen, type FileLock } from '../../file-lock.js';
import { unlessThere } from '../../presence.js';
import { commandQueues } from '../command-queues.js';
import { PendingRefs } from './pending-refs.js';

/**
 * How long others may hold a lock before it is asked whether they live; each time twice as long, as to ask holds up
 * everybody here.
 */
const DOUBT_MS = 100;
const LONGEST_DOUBT_MS = 3_200;
const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
const PATIENCE_MS = 60_000;
const PROCESS = 'process-';

/**
 * One process at a time works on the refs of a repository. Each process keeps a file locked for as long as it lives, and
 * a repository's lock is a hard link to that file: taking one is a system call, and whether its holder lives shows in
 * whether the file is still locked. What a dead process held is taken over. All processes must see one file system.
 */
export class RepositoryLocks {
  /** Of the same processes. */
  readonly pending: PendingRefs;
  readonly #folder: string;
  readonly #own: string;
  #process: FileLock | undefined;
  readonly #queues = commandQueues();

  constructor({ dataDir }: { readonly dataDir: string }) {
    this.#folder = join(dataDir, 'repositories', 'locks');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const id = randomUUID();
    const made = join(this.#folder, `new-${id}`);
    const lock = tryLock(made);
    if (!lock) throw new Error(`${made} is locked by somebody else`);
    this.#process = lock;
    this.#own = join(this.#folder, `${PROCESS}${id}`);
    renameSync(made, this.#own); // not before it is locked: it would look like a dead process's
    this.pending = new PendingRefs({ dataDir });
  }

  /** Runs `work` while nobody else works on the repository; waits for a minute, then refuses with 423. */
  run<T>(repositoryId: number, work: () => Promise<T>): Promise<T> {
    return this.#queues.run(String(repositoryId), async () => {
      const path = join(this.#folder, String(repositoryId));
      await this.#acquire(path);
      try {
        return await work();
      } finally {
        await rm(path, { force: true });
      }
    });
  }

  /** Removes the files of processes that are gone. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (!name.startsWith(PROCESS) || path === this.#own) continue;
      await this.#whereDead(path, () => rm(path, { force: true }));
    }
  }

  /** Whoever waits for a lock of this process may take it from here on. Again it does nothing. */
  close(): void {
    rmSync(this.#own, { force: true });
    this.#process?.release();
    this.#process = undefined;
  }

  async #acquire(path: string): Promise<void> {
    const begun = performance.now();
    let [doubted, doubtMs] = [begun, DOUBT_MS];
    for (let wait = SHORTEST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      if (await linked(this.#own, path)) return;
      const now = performance.now();
      if (now - begun > PATIENCE_MS)
        throw new DomainError('locked', 'repository.busy', 'the repository is busy: try again later');
      if (now - doubted > doubtMs) {
        [doubted, doubtMs] = [now, Math.min(2 * doubtMs, LONGEST_DOUBT_MS)];
        await this.#whereDead(path, () => rm(path, { force: true }));
      }
      await sleep(wait * (0.5 + Math.random()));
    }
  }

  /** Runs `act` if the process is gone whose file `path` is, and nobody else finds that out at the same time. */
  async #whereDead(path: string, act: () => Promise<void>): Promise<void> {
    const file = await open(path, 'r').catch(() => undefined);
    if (!file) return;
    try {
      if (!tryLockOpen(file.fd)) return;
      const [held, found] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
      if (held.ino === found?.ino) await act();
    } finally {
      await file.close(); // and the lock with it
    }
  }
}

const linked = async (from: string, to: string): Promise<boolean> =>
  (await unlessThere(link(from, to).then(() => true))) ?? false;
