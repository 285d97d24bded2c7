import { LRUCache } from 'lru-cache';
import type { Repository } from 'nodegit';
import { libgit2 } from './libgit2.js';

/** How many repositories are kept open. Each takes memory for the indexes of its packs. */
const KEPT = 32;

/** A cache of repositories opened with libgit2. One that is evicted is freed when its last user is done. */
export class Handles {
  readonly #kept = new LRUCache<string, Promise<Repository>>({ max: KEPT });

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

  drop(path: string): void {
    this.#kept.delete(path);
  }

  async #once<T>(path: string, work: (repository: Repository) => Promise<T>): Promise<T> {
    let opened = this.#kept.get(path);
    if (opened === undefined) {
      const opening = libgit2().Repository.openBare(path);
      this.#kept.set(path, opening);
      opening.catch(() => {
        if (this.#kept.get(path) === opening) this.drop(path); // the repository may exist the next time
      });
      opened = opening;
    }
    return await work(await opened);
  }
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
