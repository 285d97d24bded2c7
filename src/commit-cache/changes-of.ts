import { LRUCache } from 'lru-cache';
import type { Git } from '../git/git.js';
import type { Changes } from '../git/port/history.js';
import type { Hash } from '../git/port/hash.js';

/** Of all commits together. */
const MAX_FILES = 200_000;

/** What a commit changed cannot change. */
const remembered = new LRUCache<Hash, Changes>({
  maxSize: MAX_FILES,
  sizeCalculation: ({ files }) => files.length + 1,
});

/** What these commits of a repository changed, by hash; git is asked once for each. */
export async function changesOf(
  git: Pick<Git, 'changedFiles'>,
  repositoryId: number,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Changes>> {
  const changes = hashes.map(async (hash): Promise<[Hash, Changes]> => {
    const known = remembered.get(hash) ?? (await git.changedFiles(repositoryId, hash));
    remembered.set(hash, known);
    return [hash, known];
  });
  return new Map(await Promise.all(changes));
}
