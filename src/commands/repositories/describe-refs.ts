import type { RefUpdate } from '../../domain/repositories/repository-messages.js';
import { BRANCHES, type RefChange, type Refs } from '../../domain/repositories/refs.js';
import type { CommitCache } from '../../commit-cache/commit-cache.js';
import type { Git } from '../../git/git.js';
import type { Hash } from '../../git/port/hash.js';
import type { CommitFacts } from '../../git/port/objects.js';
import { GitLimitExceeded } from '../../git/port/errors.js';

export interface DescribingServices {
  readonly git: Git;
  readonly commitCache: CommitCache;
}

/** The commits of a branch that an event names. */
const MAX_COMMITS = 20;
/** With more branches than that at once, events name no commits: a mirror was filled, nobody reads them one by one. */
const MAX_BRANCHES = 100;
/** Tags of tags are followed so far. */
const MAX_TAG_DEPTH = 5;

/**
 * What the log is to know of refs that move: when the commits or tags were made, and what branches gained since `known`,
 * the refs before. Keeps the facts of these commits for lists. The objects must be in the repository.
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

/** As `describeRefs`, of branches that begin with this commit, where there was nothing: git is not asked what was just written. */
export async function describeFirst(
  { commitCache }: Pick<DescribingServices, 'commitCache'>,
  changes: readonly RefChange[],
  commit: CommitFacts,
): Promise<RefUpdate[]> {
  await commitCache.keep([commit]);
  const { hash, committer } = commit;
  return changes.map((change) => ({ ...change, committedAt: committer.at, commits: [hash], commitCount: 1 }));
}

/** An annotated tag is nothing that a branch could point to, whatever it leads to. */
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
      // No ref is there, so the change will be refused; nothing says that the objects are.
      if (before !== null && !heads.has(before)) return [ref, {}];
      if (before === null && heads.has(after)) return [ref, { commits: [], commitCount: 0 }];
      return [ref, await gainOf(git, id, before, before ?? oldest ?? null, after)];
    }),
  );
  return new Map(gains);
}

/** Nothing is said of a history that is too large to be walked in time. */
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

/** When what hashes name was made: commits, and annotated tags that lead to one. */
interface Times {
  readonly commits: ReadonlyMap<Hash, string>;
  readonly tags: ReadonlyMap<Hash, string>;
}

/** Keeps the facts of the commits. */
async function timesOf(
  { git, commitCache }: DescribingServices,
  id: number,
  hashes: readonly Hash[],
): Promise<Times> {
  const wanted = [...new Set(hashes)];
  const known = await commitCache.find(wanted);
  const unknown = wanted.filter((hash) => !known.has(hash));
  const commits = unknown.length > 0 ? await git.commits(id, unknown) : [];
  const times = new Map([...known.values(), ...commits].map(({ hash, committer }) => [hash, committer.at]));
  const others = unknown.filter((hash) => !times.has(hash));
  const tags = (await Promise.all(others.map((hash) => tagOf(git, id, hash)))).filter(
    (tag) => tag !== undefined,
  );
  await commitCache.keep([...commits, ...tags.map(({ commit }) => commit)]);
  return { commits: times, tags: new Map(tags.map(({ hash, at }) => [hash, at])) };
}

interface Tagged {
  readonly hash: Hash;
  /** When somebody tagged it; of its commit where the tag does not say. */
  readonly at: string;
  readonly commit: CommitFacts;
}

async function tagOf(git: Git, id: number, hash: Hash): Promise<Tagged | undefined> {
  let tag = await git.tagObject(id, hash);
  const at = tag?.tagger?.at;
  for (let depth = 1; tag && tag.object.type !== 'commit' && depth < MAX_TAG_DEPTH; depth++)
    tag = await git.tagObject(id, tag.object.hash);
  const commit = tag?.object.type === 'commit' ? await git.commit(id, tag.object.hash) : undefined;
  return commit && { hash, at: at ?? commit.committer.at, commit };
}
