import type { CommitCache } from '../commit-cache/commit-cache.js';
import { commitsOf } from '../commit-cache/commits-of.js';
import type { RefUpdate } from '../domain/repositories/repository-messages.js';
import type { Git } from '../git/git.js';
import { GitError } from '../git/port/errors.js';
import type { CommitFacts } from '../git/port/objects.js';

/** How many commits of a push are read; of more, only the newest. */
const MAX_COMMITS = 1_000;

/**
 * Returns the commits that a branch gained, oldest first. Commits that git no longer has are left out, because a later
 * push discarded them.
 */
export async function gainedCommits(
  services: { readonly git: Pick<Git, 'commits' | 'newCommits'>; readonly commitCache: CommitCache },
  repositoryId: number,
  update: RefUpdate,
): Promise<readonly CommitFacts[]> {
  try {
    const hashes = await gainedHashes(services.git, repositoryId, update);
    const commits = await commitsOf(services, repositoryId, hashes);
    return hashes.flatMap((hash) => commits.get(hash) ?? []).reverse();
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

/** The event names the newest; git is asked only if there are more, and if the event tells where they begin. */
async function gainedHashes(
  git: Pick<Git, 'newCommits'>,
  id: number,
  { before, after, commits = [], commitCount, since }: RefUpdate,
) {
  const start = before ?? since;
  if (start === undefined || after === null || commitCount === commits.length) return commits;
  return (await git.newCommits(id, start, after, MAX_COMMITS)).hashes;
}
