import { LRUCache } from 'lru-cache';
import type { Repository } from 'nodegit';
import { libgit2 } from './libgit2.js';

/** How many repositories are kept open. Each takes memory for the indexes of its packs. */
const KEPT = 32;
/** For how long one is kept, in ms: as long as the files are open, the disk has no use of the room of a deleted one. */
const KEPT_MS = 30_000;

/** A repository that is open, or about to be. */
interface Handle {
  readonly opening: Promise<Repository>;
  users: number;
  isDropped: boolean;
}

/** A cache of repositories opened with libgit2. The files of one that is dropped are closed when its last user is done. */
export class Handles {
  readonly #kept: LRUCache<string, Handle>;

  constructor({ keptMs = KEPT_MS } = {}) {
    this.#kept = new LRUCache({
      max: KEPT,
      ttl: keptMs,
      ttlAutopurge: true, // in a process that has nothing to do as well
      dispose: (handle) => {
        handle.isDropped = true;
        closeUnused(handle);
      },
    });
  }

  /** Runs `work` with a repository; if that fails, once more with it reopened. Undefined if libgit2 finds no such object. */
  async use<T>(path: string, work: (repository: Repository) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#once(path, work);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      // An open repository still looks for old packs after another process has repacked it.
      this.drop(path);
      return await found(this.#once(path, work));
    }
  }

  /** Drops the repository at a path, so that the next use opens it anew. */
  drop(path: string): void {
    this.#kept.delete(path);
  }

  async #once<T>(path: string, work: (repository: Repository) => Promise<T>): Promise<T> {
    const handle = this.#kept.get(path) ?? this.#open(path);
    handle.users += 1;
    try {
      return await work(await handle.opening);
    } finally {
      handle.users -= 1;
      closeUnused(handle);
    }
  }

  #open(path: string): Handle {
    const opening = libgit2().Repository.openBare(path);
    const handle = { opening, users: 0, isDropped: false };
    this.#kept.set(path, handle);
    opening.catch(() => {
      if (this.#kept.get(path) === handle) this.drop(path); // the repository may exist the next time
    });
    return handle;
  }
}

/** Closes the files of a repository that is neither kept nor used; if garbage holds some, they are closed with that. */
function closeUnused({ opening, users, isDropped }: Handle): void {
  if (!isDropped || users > 0) return;
  opening.then((repository) => repository.cleanup()).catch(() => undefined); // at the latest, its end closes them
}

/** Awaits a look-up; undefined if libgit2 finds nothing by that name, or if the name is invalid. */
export async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** libgit2's error codes for: not found, invalid name, object of another type. */
const ABSENT: readonly unknown[] = [-3, -12, -19];
const isAbsent = (error: unknown) => ABSENT.includes((error as { errno?: unknown }).errno);
