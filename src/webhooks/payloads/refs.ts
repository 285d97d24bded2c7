import type { DomainEvent } from '../../domain/domain-event.js';
import { BRANCHES, shortName, TAGS } from '../../domain/repositories/refs.js';
import type { Hash, RefUpdate, RepositoryEvent } from '../../domain/repositories/repository-messages.js';
import { NO_OBJECT } from '../../git/port/hash.js';
import { inUrl, urlsOf } from '../../http/repositories/content/urls.js';
import { beganAt } from '../../queries/repositories/repositories.js';
import { commitsBetween, commitsLeft, peeled, presentCommits, type Detail } from './commits.js';
import type { Occasion } from './occasion.js';
import type { Scene } from './scene.js';

type RefsUpdated = DomainEvent<Extract<RepositoryEvent, { type: 'RefsUpdated' }>>;

/** How many commits, the newest, a push lists. */
const SHOWN = 5;
/** The largest number of commits that a new branch is reported to have. */
const OF_NEW_BRANCH = 10;

/** Returns occasions for each branch and tag that changed; none for refs that the repository was created with. */
export function ofRefs({ data }: RefsUpdated, scene: Scene): Occasion[] {
  if (beganAt(scene.repository, data.updatedAt)) return [];
  return data.updates.flatMap((update) => {
    if (update.ref.startsWith(BRANCHES)) return ofBranch(update, scene);
    return update.ref.startsWith(TAGS) ? ofTag(update, scene) : [];
  });
}

function ofBranch(update: RefUpdate, scene: Scene): Occasion[] {
  if (update.after === null) return [onDelete(update, scene)];
  const push = onPush(update, scene);
  return update.before === null ? [onCreate(update, scene), push] : [push];
}

/** Returns the occasions of a tag; one that was moved gives a push only. */
function ofTag(update: RefUpdate, scene: Scene): Occasion[] {
  const push = onPush(update, scene);
  if (update.after === null) return [push, onDelete(update, scene)];
  return update.before === null ? [push, onCreate(update, scene)] : [push];
}

const isTag = ({ ref }: RefUpdate) => ref.startsWith(TAGS);

const branchOf = (update: RefUpdate) => (isTag(update) ? {} : { branch: shortName(update.ref) });

const onCreate = (update: RefUpdate, { services, repository, common }: Scene): Occasion => ({
  key: `create ${update.ref}`,
  event: 'create',
  eventType: 'create',
  ...branchOf(update),
  body: async () => ({
    sha: (await headOf(update, { services, repository })) ?? update.after,
    ref: update.ref,
    ref_type: isTag(update) ? 'tag' : 'branch',
    ...(await common()),
  }),
});

const onDelete = (update: RefUpdate, { common }: Scene): Occasion => ({
  key: `delete ${update.ref}`,
  event: 'delete',
  eventType: 'delete',
  ...branchOf(update),
  body: async () => ({
    ref: update.ref,
    ref_type: isTag(update) ? 'tag' : 'branch',
    pusher_type: 'user',
    ...(await common()),
  }),
});

const onPush = (update: RefUpdate, scene: Scene): Occasion => ({
  key: `push ${update.ref}`,
  event: 'push',
  eventType: 'push',
  ...branchOf(update),
  body: (isBrief) => pushBody(update, scene, { isBrief }),
});

/** How a push is told: with which detail of its commits, or, if it `isBrief`, without these. */
interface PushTold {
  readonly detail?: Detail;
  readonly isBrief?: boolean;
}

/** Makes the body of a push. */
export async function pushBody(
  update: RefUpdate,
  { services, repository, common }: Scene,
  { detail = 'paths', isBrief = false }: PushTold = {},
): Promise<object> {
  const { ref, before, after } = update;
  const { hashes, count: commitCount } = await gainOf(update, { services, repository });
  const listed = isBrief ? [] : hashes.slice(0, SHOWN);
  const head = isBrief ? undefined : await headOf(update, { services, repository });
  const shown = [...listed, ...(head ? [head] : [])];
  const presented = await presentCommits(services, repository, shown, detail);
  const most = before === null ? OF_NEW_BRANCH : commitCount;
  const { sender, ...rest } = await common();
  return {
    ref,
    before: before ?? NO_OBJECT,
    after: after ?? NO_OBJECT,
    compare_url: await compareUrl(update, listed, { services, repository }),
    commits: listed.flatMap((hash) => presented.get(hash) ?? []),
    total_commits: Math.min(commitCount, most),
    head_commit: (head && presented.get(head)) ?? null,
    ...rest,
    pusher: sender,
    sender,
  };
}

/** Returns the commit that a ref leads to now: a branch names it, a tag may be of another object. */
async function headOf(
  update: RefUpdate,
  { services, repository }: Pick<Scene, 'services' | 'repository'>,
): Promise<Hash | undefined> {
  const { after } = update;
  return after !== null && isTag(update) ? peeled(services, repository.id, after) : (after ?? undefined);
}

/**
 * Returns the newest commits that a branch gained, and how many there are. Git is asked where the event does not tell, as of
 * very many branches that move at once; of new ones among those nothing is known. Tags gain none.
 */
async function gainOf(
  update: RefUpdate,
  { services, repository }: Pick<Scene, 'services' | 'repository'>,
): Promise<{ readonly hashes: readonly Hash[]; readonly count: number }> {
  const { before, after, commits, commitCount = commits?.length } = update;
  if (commits === undefined && before !== null && after !== null && !isTag(update))
    return commitsBetween(services, repository.id, { before, after }, SHOWN);
  return { hashes: commits ?? [], count: commitCount ?? 0 };
}

/** Returns the address of the page that compares before and after, or the server's if there is nothing to compare. */
async function compareUrl(
  update: RefUpdate,
  listed: readonly Hash[],
  { services, repository }: Pick<Scene, 'services' | 'repository'>,
): Promise<string> {
  const { ref, before, after } = update;
  const { baseUrl } = services.config;
  const between = (from: string) => `${urlsOf(repository, baseUrl).html}/compare/${from}...${after}`;
  const nowhere = `${baseUrl}/`;
  if (after === null) return nowhere;
  if (before !== null) return between(before);
  if (isTag(update)) return between(NO_OBJECT);
  const oldest = listed.slice(-1);
  const [commit] = (await commitsLeft(services, repository.id, oldest)).values();
  const parent = commit?.parents[0];
  if (parent !== undefined) return between(parent);
  return shortName(ref) === repository.default_branch ? nowhere : between(inUrl(repository.default_branch));
}
