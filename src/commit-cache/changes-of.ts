import { LRUCache } from 'lru-cache';
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
  const changes = new Map<Hash, Changes>();
  for (const hash of hashes) {
    const known = remembered.get(hash);
    if (known) changes.set(hash, known);
  }
  const unknown = hashes.filter((hash) => !changes.has(hash));
  if (unknown.length === 0) return changes;
  for (const [hash, found] of await git.changedFiles(repositoryId, unknown)) {
    remembered.set(hash, found);
    changes.set(hash, found);
  }
  return changes;
}
