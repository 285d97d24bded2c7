import { commitsOf } from '../../commit-cache/commits-of.js';
import type { Hash } from '../../domain/repositories/repository-messages.js';
import { GitError } from '../../git/port/errors.js';
import type { CommitFacts, Signature } from '../../git/port/objects.js';
import type { ChangedFile, Changes } from '../../git/port/history.js';
import { placeholderDomain } from '../../http/accounts/presenter.js';
import { ownersOf } from '../../http/repositories/content/owners.js';
import { timeOf } from '../../http/repositories/content/present-commit.js';
import { MAX_MESSAGE } from '../../http/repositories/content/schema.js';
import { urlsOf } from '../../http/repositories/content/urls.js';
import { verifierOf } from '../../http/repositories/content/verification.js';
import { findNamesByEmail } from '../../queries/accounts/commit-authors.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import type { PayloadServices } from './services.js';

/** What a payload says about a commit besides its facts: the paths it changed, or the verification of its signature. */
export type Detail = 'paths' | 'verification';

/** Presents commits as payloads show them, by hash; leaves out those that git no longer has. */
export async function presentCommits(
  services: PayloadServices,
  repository: RepositoryRow,
  hashes: readonly Hash[],
  detail: Detail,
): Promise<ReadonlyMap<Hash, object>> {
  const found = await commitsLeft(services, repository.id, hashes);
  const commits = [...new Set(hashes)].flatMap((hash) => found.get(hash) ?? []);
  const people = commits.flatMap(({ author, committer }) => [author.email, committer.email]);
  const names = await findNamesByEmail(
    services.db,
    [...new Set(people.map((email) => email.toLowerCase()))],
    placeholderDomain(services.config.baseUrl),
  );
  const { html } = urlsOf(repository, services.config.baseUrl);
  const verify =
    detail === 'verification'
      ? await verifierOf(
          services.db,
          commits,
          await ownersOf({ db: services.db, services }, commits, undefined),
        )
      : () => null;
  const pathsOf = detail === 'paths' ? await changedPaths(services, repository.id, commits) : () => noPaths;
  const presented = commits.map((commit) => ({
    id: commit.hash,
    message: beginningOf(commit.message),
    url: `${html}/commit/${commit.hash}`,
    author: person(commit.author, names),
    committer: person(commit.committer, names),
    timestamp: timeOf(commit.author),
    verification: verify(commit),
    ...pathsOf(commit.hash),
  }));
  return new Map(presented.map((commit) => [commit.id, commit]));
}

/** Returns the facts of these commits by hash, leaving out those that neither the cache nor git has any more. */
export const commitsLeft = (
  services: PayloadServices,
  repositoryId: number,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, CommitFacts>> =>
  unlessGitFails(() => commitsOf(services, repositoryId, hashes), new Map());

/** Returns how many commits a branch gained, and at most `limit` of them, newest first; none if git cannot tell any more. */
export const commitsBetween = (
  { git }: PayloadServices,
  repositoryId: number,
  { before, after }: { readonly before: Hash; readonly after: Hash },
  limit: number,
): ReturnType<PayloadServices['git']['newCommits']> =>
  unlessGitFails(() => git.newCommits(repositoryId, before, after, limit), { hashes: [], count: 0 });

/** Resolves the hash of a commit or tag to a commit; undefined if git no longer has it or it leads to something else. */
export async function peeled(
  services: PayloadServices,
  repositoryId: number,
  hash: Hash,
): Promise<Hash | undefined> {
  return unlessGitFails(async () => {
    if ((await commitsOf(services, repositoryId, [hash])).has(hash)) return hash;
    const tags = await services.git.tagObjects(repositoryId, [hash]);
    return (await services.git.peel(repositoryId, [...tags.values()])).get(hash);
  }, undefined);
}

/**
 * Cuts a message off at what the API takes, as a push of a few kilobytes can bring megabytes of it, but never between the
 * halves of a surrogate pair.
 */
const beginningOf = (message: string): string =>
  message.length > MAX_MESSAGE ? message.slice(0, MAX_MESSAGE).replace(/[\ud800-\udbff]$/, '') : message;

const person = ({ name, email }: Signature, names: ReadonlyMap<string, string>) => ({
  name,
  email,
  username: names.get(email.toLowerCase()) ?? '',
});

const noPaths = { added: null, removed: null, modified: null };

/** Returns a function that gives the paths that a commit changed; they are null if git cannot tell. */
async function changedPaths({ git }: PayloadServices, repositoryId: number, commits: readonly CommitFacts[]) {
  const hashes = commits.map(({ hash }) => hash);
  const changesOf = (asked: readonly Hash[]) =>
    unlessGitFails(() => git.changedFiles(repositoryId, asked), new Map<Hash, Changes>());
  const changes = await changesOf(hashes);
  // One commit whose changes git cannot determine fails the whole call, so each is tried by itself.
  if (changes.size === 0 && hashes.length > 1)
    for (const hash of hashes) for (const change of await changesOf([hash])) changes.set(...change);
  return (hash: Hash) => {
    const files = changes.get(hash)?.files;
    const paths = (status: ChangedFile['status']) =>
      files?.filter((file) => file.status === status).map(({ path }) => path) ?? null;
    return { added: paths('added'), removed: paths('removed'), modified: paths('modified') };
  };
}

/** Runs `work`; on a `GitError` gives `instead`, so that a missing or slow repository does not hold up deliveries. */
async function unlessGitFails<T>(work: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GitError) return instead;
    throw error;
  }
}
