import type { z } from 'zod';
import type { Changes } from '../../../git/port/history.js';
import type { CommitFacts, Signature } from '../../../git/port/objects.js';
import { presentUsersById } from '../../accounts/presenter.js';
import { NO_TIME, timeText } from '../../answers/time-text.js';
import type { RepositoryRequest } from '../place.js';
import { ownersOf } from './owners.js';
import type { Commit } from './commit-schema.js';
import type { CommitMeta, CommitUser } from './schema.js';
import { urlsOf, type RepositoryUrls } from './urls.js';
import { verifierOf } from './verification.js';

/** Which details of commits to show; the others are null. */
export interface Shown {
  readonly verification: boolean;
  readonly stats: boolean;
  readonly files: boolean;
}

/** Presents commits with the accounts of their authors and committers; `changes` by hash if files or stats are shown. */
export async function presentCommits(
  { db, services, caller, parent }: RepositoryRequest,
  commits: readonly CommitFacts[],
  shown: Shown,
  changes: ReadonlyMap<string, Changes>,
): Promise<z.output<typeof Commit>[]> {
  const urls = urlsOf(parent.repository, services.config.baseUrl);
  const ownerOf = await ownersOf({ db, services }, commits, caller);
  const verify = shown.verification ? await verifierOf(db, commits, ownerOf) : () => null;
  const owners = commits.flatMap(({ author, committer }) =>
    [ownerOf(author), ownerOf(committer)].filter((owner) => owner !== undefined),
  );
  const users = await presentUsersById(
    new Map(owners.map((owner) => [owner.id, owner])).values(),
    caller,
    services,
  );
  const userOf = (signature: Signature) => users.get(ownerOf(signature)?.id ?? 0) ?? null;
  return commits.map((commit) => ({
    ...presentMeta(commit.hash, urls),
    created: timeOf(commit.committer),
    html_url: `${urls.html}/commit/${commit.hash}`,
    commit: {
      url: commitUrl(commit.hash, urls),
      author: presentPerson(commit.author),
      committer: presentPerson(commit.committer),
      message: commit.message,
      tree: {
        url: `${urls.api}/git/trees/${commit.tree}`,
        sha: commit.tree,
        created: timeOf(commit.committer),
      },
      verification: verify(commit),
    },
    author: userOf(commit.author),
    committer: userOf(commit.committer),
    parents: commit.parents.map((hash) => presentMeta(hash, urls)),
    ...presentChanges(changes.get(commit.hash), shown),
  }));
}

/** Presents a commit's address, without its time. */
export const presentMeta = (hash: string, urls: RepositoryUrls): z.output<typeof CommitMeta> => ({
  url: commitUrl(hash, urls),
  sha: hash,
  created: NO_TIME,
});

/** Presents an author or committer as the commit has it, without looking for an account. */
export const presentPerson = (signature: Signature): z.output<typeof CommitUser> => ({
  name: signature.name,
  email: signature.email,
  date: timeOf(signature),
});

/** Returns a signature's time in UTC. */
export const timeOf = ({ at }: Signature): string => timeText(new Date(at));

const commitUrl = (hash: string, { api }: RepositoryUrls) => `${api}/git/commits/${hash}`;

function presentChanges(
  changes: Changes | undefined,
  shown: Shown,
): Pick<z.output<typeof Commit>, 'files' | 'stats'> {
  if (!changes) return { files: null, stats: null };
  const { files, additions, deletions } = changes;
  return {
    files: shown.files ? files.map(({ path: filename, status }) => ({ filename, status })) : null,
    stats: shown.stats ? { total: additions + deletions, additions, deletions } : null,
  };
}
