import type { Git } from '../git/git.js';
import type { Hash } from '../git/port/hash.js';
import type { CommitFacts } from '../git/port/objects.js';
import type { CommitCache } from './commit-cache.js';

interface Sources {
  readonly git: Pick<Git, 'commits'>;
  readonly commitCache: CommitCache;
}

/** The facts of these commits of a repository, by hash: git is asked only for what is not kept, and that is kept then. */
export async function commitsOf(
  sources: Sources,
  repositoryId: number,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, CommitFacts>> {
  const found = await sources.commitCache.find([...new Set(hashes)]);
  return withMissing(sources, repositoryId, hashes, found);
}

/** As `commitsOf`, for rows of a query that has looked into the cache itself: `facts` are as it holds them. */
export const commitsOfRows = (
  sources: Sources,
  repositoryId: number,
  rows: readonly { readonly hash: Hash; readonly facts: object | null }[],
): Promise<ReadonlyMap<Hash, CommitFacts>> => {
  const held = rows.filter(({ facts }) => facts !== null);
  const found = new Map(held.map(({ hash, facts }) => [hash, facts as CommitFacts]));
  const hashes = rows.map(({ hash }) => hash);
  return withMissing(sources, repositoryId, hashes, found);
};

async function withMissing(
  { git, commitCache }: Sources,
  repositoryId: number,
  hashes: readonly Hash[],
  found: Map<Hash, CommitFacts>,
): Promise<ReadonlyMap<Hash, CommitFacts>> {
  const missing = [...new Set(hashes)].filter((hash) => !found.has(hash));
  if (missing.length === 0) return found;
  const read = await git.commits(repositoryId, missing);
  await commitCache.keep(read);
  for (const commit of read) found.set(commit.hash, commit);
  return found;
}
