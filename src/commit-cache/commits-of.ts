import type { Git } from '../git/git.js';
import type { Hash } from '../git/port/hash.js';
import type { CommitFacts } from '../git/port/objects.js';
import type { CommitCache } from './commit-cache.js';

interface Sources {
  readonly git: Pick<Git, 'commits'>;
  readonly commitCache: CommitCache;
}

/** Returns the facts of these commits of a repository, by hash. Asks git for those that are not cached, and caches them. */
export async function commitsOf(
  { git, commitCache }: Sources,
  repositoryId: number,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, CommitFacts>> {
  const wanted = [...new Set(hashes)];
  const found = await commitCache.find(wanted);
  const missing = wanted.filter((hash) => !found.has(hash));
  if (missing.length === 0) return found;
  const read = await git.commits(repositoryId, missing);
  await commitCache.keep(repositoryId, read);
  for (const commit of read) found.set(commit.hash, commit);
  return found;
}

/**
 * As `commitsOf`, for rows of a query that has joined the cache's table: `facts` are those that the cache holds, and whose
 * use today is recorded already.
 */
export async function commitsOfRows(
  sources: Sources,
  repositoryId: number,
  rows: readonly { readonly hash: Hash; readonly facts: object | null }[],
): Promise<ReadonlyMap<Hash, CommitFacts>> {
  const others = rows.filter(({ facts }) => facts === null).map(({ hash }) => hash);
  const found = await commitsOf(sources, repositoryId, others);
  const held = rows.filter(({ facts }) => facts !== null);
  return new Map([...found, ...held.map(({ hash, facts }) => [hash, facts as CommitFacts] as const)]);
}
