import type { RefUpdate } from '../../domain/repositories/repository-messages.js';
import { BRANCHES, type RefChange, type Refs } from '../../domain/repositories/refs.js';
import type { CommitCache } from '../../commit-cache/commit-cache.js';
import { commitsOf } from '../../commit-cache/commits-of.js';
import type { Git } from '../../git/git.js';
import type { Hash } from '../../git/port/hash.js';
import type { CommitFacts } from '../../git/port/objects.js';
import { inParts } from '../../values/in-parts.js';
import { GitLimitExceeded } from '../../git/port/errors.js';

/** The services for describing refs: git, and the cache of the facts of commits that lists are read from. */
export interface DescribingServices {
  readonly git: Git;
  readonly commitCache: CommitCache;
}

/** How many of the new commits of a branch an event names at most. */
const MAX_COMMITS = 20;
/** If more branches move at once, events name no commits: a mirror is being filled, and nobody reads them one by one. */
const MAX_BRANCHES = 100;
/** How many hashes are looked up together, because the results of one lookup are held in memory. */
const AT_ONCE = 1000;

/**
 * Completes changes of refs with what the log records: when the commits or tags were made, and which commits the
 * branches gained since `known`, the refs before. Caches the facts of these commits for lists. The objects must be in
 * the repository.
 */
export async function describeRefs(
  services: DescribingServices,
  repositoryId: number,
  known: Refs,
  changes: readonly RefChange[],
): Promise<RefUpdate[]> {
  const branches = changes.filter(({ ref, after }) => after !== null && ref.startsWith(BRANCHES));
  const gains =
    branches.length <= MAX_BRANCHES
      ? await gainsOf(services.git, repositoryId, known, branches)
      : new Map<string, Gain>();
  const tips = changes.flatMap(({ after }) => after ?? []);
  const named = [...gains.values()].flatMap(({ commits = [] }) => commits);
  const times = await timesOf(services, repositoryId, [...tips, ...named]);
  return changes.map((change) => ({
    ...change,
    committedAt: timeOf(change, times),
    ...gains.get(change.ref),
  }));
}

/**
 * Like `describeRefs`, for branches of a new repository that begin with this commit. Does not ask git for it, because
 * it was just written.
 */
export async function describeFirst(
  { commitCache }: Pick<DescribingServices, 'commitCache'>,
  repositoryId: number,
  changes: readonly RefChange[],
  commit: CommitFacts,
): Promise<RefUpdate[]> {
  await commitCache.keep(repositoryId, [commit]);
  const { hash, committer } = commit;
  return changes.map((change) => ({ ...change, committedAt: committer.at, commits: [hash], commitCount: 1 }));
}

/** Returns when a ref's target was made; null if it leads to no commit. A branch cannot point to a tag object at all. */
function timeOf({ ref, after }: RefChange, { commits, tags }: Times): string | null {
  if (after === null) return null;
  return commits.get(after) ?? (ref.startsWith(BRANCHES) ? null : (tags.get(after) ?? null));
}

type Gain = Pick<RefUpdate, 'forced' | 'commits' | 'commitCount'>;

async function gainsOf(
  git: Git,
  id: number,
  known: Refs,
  branches: readonly RefChange[],
): Promise<Map<string, Gain>> {
  const heads = new Set(known.values());
  const oldest = known.find((_, ref) => ref === `${BRANCHES}main` || ref === `${BRANCHES}master`);
  const gains = await Promise.all(
    branches.map(async ({ ref, before, after }): Promise<[string, Gain]> => {
      if (after === null) return [ref, {}];
      // No ref is at `before`, so that the change will be refused, and its objects may not exist.
      if (before !== null && !heads.has(before)) return [ref, {}];
      if (before === null && heads.has(after)) return [ref, { commits: [], commitCount: 0 }];
      return [ref, await gainOf(git, id, before, before ?? oldest ?? null, after)];
    }),
  );
  return new Map(gains);
}

/** Finds what a branch gained. Returns nothing for a history that is too large to be walked in time. */
async function gainOf(
  git: Git,
  id: number,
  before: Hash | null,
  since: Hash | null,
  after: Hash,
): Promise<Gain> {
  try {
    const [gained, forward] = await Promise.all([
      git.newCommits(id, since, after, MAX_COMMITS),
      before === null || git.isAncestor(id, before, after),
    ]);
    return { commits: gained.hashes, commitCount: gained.count, ...(!forward && { forced: true }) };
  } catch (error) {
    if (error instanceof GitLimitExceeded) return {};
    throw error;
  }
}

/** When objects were made, by hash: commits, and annotated tags that lead to a commit. */
interface Times {
  readonly commits: Map<Hash, string>;
  readonly tags: Map<Hash, string>;
}

async function timesOf(services: DescribingServices, id: number, hashes: readonly Hash[]): Promise<Times> {
  const times: Times = { commits: new Map(), tags: new Map() };
  for (const some of inParts(new Set(hashes), AT_ONCE)) await addTimes(times, services, id, some);
  return times;
}

async function addTimes(
  { commits, tags }: Times,
  services: DescribingServices,
  id: number,
  hashes: readonly Hash[],
): Promise<void> {
  const found = await commitsOf(services, id, hashes);
  for (const { hash, committer } of found.values()) commits.set(hash, committer.at);
  const others = hashes.filter((hash) => !found.has(hash));
  if (others.length > 0) for (const { hash, at } of await taggedOf(services, id, others)) tags.set(hash, at);
}

/**
 * Finds the annotated tags among the hashes that lead to a commit, and when they were made. The commit's time stands
 * for a tag that names none.
 */
async function taggedOf(
  services: DescribingServices,
  id: number,
  hashes: readonly Hash[],
): Promise<{ readonly hash: Hash; readonly at: string }[]> {
  const { git } = services;
  const tags = await git.tagObjects(id, hashes);
  const tips = await git.peel(id, [...tags.values()]);
  const commits = await commitsOf(services, id, [...tips.values()]);
  return [...tags.values()].flatMap(({ hash, tagger }) => {
    const commit = commits.get(tips.get(hash) ?? '');
    return commit ? [{ hash, at: tagger?.at ?? commit.committer.at }] : [];
  });
}
