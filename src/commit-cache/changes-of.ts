import { LRUCache } from 'lru-cache';
import { eachOnce } from '../each-once.js';
import type { Git } from '../git/git.js';
import type { Changes } from '../git/port/history.js';
import type { Hash } from '../git/port/hash.js';

/** Of all commits together, by their paths: those are as long as whoever pushes wants them. */
const MAX_BYTES = 16 * 1024 * 1024;
const BYTES_BESIDE_PATH = 64;

/** What a commit changed cannot change. */
const remembered = new LRUCache<Hash, Changes>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ files }) =>
    files.reduce((bytes, { path }) => bytes + path.length + BYTES_BESIDE_PATH, BYTES_BESIDE_PATH),
});

/** What these commits of a repository changed, by hash; git is asked once for each. */
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
