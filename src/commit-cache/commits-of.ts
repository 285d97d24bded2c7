import type { Git } from '../git/git.js';
import type { Hash } from '../git/port/hash.js';
import type { CommitFacts } from '../git/port/objects.js';
import type { CommitCache } from './commit-cache.js';

/** The facts of these commits of a repository, by hash: git is asked only for what is not kept, and that is kept then. */
export async function commitsOf(
  { git, commitCache }: { readonly git: Pick<Git, 'commits'>; readonly commitCache: CommitCache },
  repositoryId: number,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, CommitFacts>> {
  const found = await commitCache.find([...new Set(hashes)]);
  const missing = [...new Set(hashes)].filter((hash) => !found.has(hash));
  if (missing.length === 0) return found;
  const read = await git.commits(repositoryId, missing);
  await commitCache.keep(read);
  for (const commit of read) found.set(commit.hash, commit);
  return found;
}
