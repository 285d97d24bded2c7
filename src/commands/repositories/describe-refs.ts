import type { RefUpdate } from '../../domain/repositories/repository-messages.js';
import { baseOfNew, BRANCHES, TAGS, type RefChange } from '../../domain/repositories/refs.js';
import type { RepositoryState } from '../../domain/repositories/repository.js';
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
 * Completes changes of refs with what the log records: when the commits or tags were made, which commits the tags lead
 * to, and which the branches gained: new ones, since the default branch. Caches the facts of these commits for lists. The
 * objects must be in the repository. `state` is that before the changes.
 */
export async function describeRefs(
  services: DescribingServices,
  repositoryId: number,
  state: Pick<RepositoryState, 'refs' | 'settings'>,
  changes: readonly RefChange[],
): Promise<RefUpdate[]> {
  const branches = changes.filter(({ ref, after }) => after !== null && ref.startsWith(BRANCHES));
  const gains =
    branches.length <= MAX_BRANCHES
      ? await gainsOf(services.git, repositoryId, state, branches)
      : new Map<string, Gain>();
  const tips = changes.flatMap(({ after }) => after ?? []);
  const named = [...gains.values()].flatMap(({ commits = [] }) => commits);
  const targets = await targetsOf(services, repositoryId, [...tips, ...named]);
  return changes.map((change) => ({
    ...change,
    ...recordedOf(change, targets),
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

/** Returns what is recorded of a ref's target. A branch cannot point to a tag object at all. */
function recordedOf({ ref, after }: RefChange, targets: Targets): Pick<RefUpdate, 'committedAt' | 'commit'> {
  const target = after === null ? undefined : targets.get(after);
  if (!target || (ref.startsWith(BRANCHES) && target.commit !== after)) return { committedAt: null };
  return { committedAt: target.at, ...(ref.startsWith(TAGS) && { commit: target.commit }) };
}

type Gain = Pick<RefUpdate, 'forced' | 'commits' | 'commitCount' | 'since'>;

async function gainsOf(
  git: Git,
  id: number,
  state: Pick<RepositoryState, 'refs' | 'settings'>,
  branches: readonly RefChange[],
): Promise<Map<string, Gain>> {
  const heads = new Set(state.refs.values());
  const base = baseOfNew(state) ?? null;
  const gains = await Promise.all(
    branches.map(async ({ ref, before, after }): Promise<[string, Gain]> => {
      if (after === null) return [ref, {}];
      // No ref is at `before`, so that the change will be refused, and its objects may not exist.
      if (before !== null && !heads.has(before)) return [ref, {}];
      if (before === null && heads.has(after)) return [ref, { commits: [], commitCount: 0 }];
      return [ref, await gainOf(git, id, before, before ?? base, after)];
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
    return {
      commits: gained.hashes,
      commitCount: gained.count,
      ...(before === null && gained.count > gained.hashes.length && { since }),
      ...(!forward && { forced: true }),
    };
  } catch (error) {
    if (error instanceof GitLimitExceeded) return {};
    throw error;
  }
}

/** A commit or an annotated tag: when it was made, and the commit itself or that which the tag leads to. */
interface Target {
  readonly at: string;
  readonly commit: Hash;
}
/** The objects that are or lead to a commit, by hash. */
type Targets = Map<Hash, Target>;

async function targetsOf(
  services: DescribingServices,
  id: number,
  hashes: readonly Hash[],
): Promise<Targets> {
  const targets: Targets = new Map();
  for (const some of inParts(new Set(hashes), AT_ONCE)) await addTargets(targets, services, id, some);
  return targets;
}

async function addTargets(
  targets: Targets,
  services: DescribingServices,
  id: number,
  hashes: readonly Hash[],
): Promise<void> {
  const found = await commitsOf(services, id, hashes);
  for (const { hash, committer } of found.values()) targets.set(hash, { at: committer.at, commit: hash });
  const others = hashes.filter((hash) => !found.has(hash));
  if (others.length === 0) return;
  for (const [hash, target] of await taggedOf(services, id, others)) targets.set(hash, target);
}

/** Finds the annotated tags among the hashes that lead to a commit. The commit's time stands for a tag that names none. */
async function taggedOf(
  services: DescribingServices,
  id: number,
  hashes: readonly Hash[],
): Promise<[Hash, Target][]> {
  const { git } = services;
  const tags = await git.tagObjects(id, hashes);
  const tips = await git.peel(id, [...tags.values()]);
  const commits = await commitsOf(services, id, [...tips.values()]);
  return [...tags.values()].flatMap(({ hash, tagger }) => {
    const commit = commits.get(tips.get(hash) ?? '');
    return commit ? [[hash, { at: tagger?.at ?? commit.committer.at, commit: commit.hash }]] : [];
  });
}
