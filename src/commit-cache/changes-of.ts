import { LRUCache } from 'lru-cache';
import { eachOnce } from '../values/each-once.js';
import type { Git } from '../git/git.js';
import type { Changes } from '../git/port/history.js';
import type { Hash } from '../git/port/hash.js';

/** The memory of the cache, by the lengths of the paths in it, which a push chooses. */
const MAX_BYTES = 16 * 1024 * 1024;
const BYTES_BESIDE_PATH = 64;

/** A cache without expiry, because a hash always stands for the same changes. */
const remembered = new LRUCache<Hash, Changes>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ files }) =>
    files.reduce((bytes, { path }) => bytes + path.length + BYTES_BESIDE_PATH, BYTES_BESIDE_PATH),
});

/** Returns what these commits of a repository changed, by hash. Asks git only for those that are not cached. */
export async function changesOf(
  git: Pick<Git, 'changedFiles'>,
  repositoryId: number,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Changes>> {
  return await eachOnce(
    remembered,
    hashes,
    (hash) => hash,
    (unknown) => git.changedFiles(repositoryId, unknown),
  );
}
