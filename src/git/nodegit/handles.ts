import { LRUCache } from 'lru-cache';
import type { Repository } from 'nodegit';
import { libgit2 } from './libgit2.js';

/** How many repositories are kept open; each holds the indexes of its packs. */
const KEPT = 32;

/** Repositories as libgit2 has them open. What is not kept any more ends when the last one who uses it is done. */
export class Handles {
  readonly #kept = new LRUCache<string, Promise<Repository>>({ max: KEPT });

  /** Does something with a repository; undefined where libgit2 does not find what was asked for. */
  async use<T>(path: string, work: (repository: Repository) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#once(path, work);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      // Packs that another process has packed anew: an open repository still looks for the old ones.
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
        if (this.#kept.get(path) === opening) this.drop(path); // it may be there the next time
      });
      opened = opening;
    }
    return await work(await opened);
  }
}

/** Undefined where libgit2 has nothing by that name, or where nothing can have it. */
export async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Of libgit2: not found, not a name, nothing of that type behind it. */
const ABSENT: readonly unknown[] = [-3, -12, -19];
const isAbsent = (error: unknown) => ABSENT.includes((error as { errno?: unknown }).errno);
