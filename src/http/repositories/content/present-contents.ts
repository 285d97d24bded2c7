import type { z } from 'zod';
import type { Git } from '../../../git/git.js';
import type { Hash } from '../../../git/port/hash.js';
import type { TreeEntry } from '../../../git/port/objects.js';
import { NO_TIME } from '../../answers/time-text.js';
import { contentAnswer, MAX_CONTENT_BYTES } from './content-answer.js';
import type { ContentsResponse } from './file-schema.js';
import type { Named } from './revision.js';
import { submodulesOf } from './submodules.js';
import { inUrl, type RepositoryUrls } from './urls.js';

/** The maximum length in bytes of a symbolic link's target; file systems allow no longer ones. */
const MAX_TARGET_BYTES = 4096;
/** The maximum total size of a listing's addresses and targets: a few kilobytes of trees can unfold to any number. */
const MAX_LISTING_BYTES = 2 * 1024 * 1024;

type Contents = z.output<typeof ContentsResponse>;

/** The repository and revision whose contents are shown; addresses name the revision as the client did. */
export interface ContentsView {
  readonly git: Git;
  readonly repositoryId: number;
  readonly urls: RepositoryUrls;
  readonly revision: Named;
}

/** Returns the first entries, as many as an answer may hold: up to 2 MiB of their `url`s and `target`s. */
export function fitting(view: ContentsView, entries: readonly TreeEntry[]): readonly TreeEntry[] {
  let room = MAX_LISTING_BYTES;
  const end = entries.findIndex((entry) => {
    room -= addressOf(view, entry).length;
    if (isLink(entry)) room -= Math.min(entry.size ?? 0, MAX_TARGET_BYTES);
    return room < 0;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** Presents the entries of a directory, without contents. */
export async function presentListing(view: ContentsView, entries: readonly TreeEntry[]): Promise<Contents[]> {
  const { git, repositoryId, revision } = view;
  const paths = entries.map(({ path }) => path);
  const lastCommits = await git.lastCommits(repositoryId, revision.hash, paths);
  const lastCommitOf = (path: string) => lastCommits.get(path) ?? revision.hash;
  const times = await git.committedAt(repositoryId, [...new Set(paths.map(lastCommitOf))]);
  const submodules = entries.some(isSubmodule)
    ? await submodulesOf(git, repositoryId, revision.hash)
    : new Map<string, string>();
  const links = entries.filter(isLink).map(({ hash }) => hash);
  const targets = await git.blobs(repositoryId, links, MAX_TARGET_BYTES);
  return entries.map((entry) => ({
    ...presentEntry(view, entry, lastCommitOf(entry.path)),
    last_commit_when: times.get(lastCommitOf(entry.path)) ?? NO_TIME,
    target: isLink(entry) ? (targets.get(entry.hash)?.content?.toString() ?? '') : null,
    submodule_git_url: isSubmodule(entry) ? (submodules.get(entry.path) ?? null) : null,
  }));
}

/** Answers a client with an entry; a file with its content. */
export async function presentContents(view: ContentsView, entry: TreeEntry, client: string): Promise<object> {
  const [contents] = await presentListing(view, [entry]);
  if (!contents) throw new Error('one entry gives one answer');
  if (contents.type !== 'file') return contents;
  const { git, repositoryId } = view;
  const answer = await contentAnswer(git, { repositoryId, hash: entry.hash, client }, () => contents);
  return answer ?? withContent(contents, undefined);
}

/** Adds a file's content; empty text if it is too large, or undefined because it was left out. */
export function withContent(file: Contents, content: Buffer | undefined): Contents {
  const isShown = content !== undefined && content.length <= MAX_CONTENT_BYTES;
  return { ...file, encoding: 'base64', content: isShown ? content.toString('base64') : '' };
}

/** Reads the contents of files, by path; leaves out each that is too large together with those read before it. */
export async function contentsOfFiles(
  { git, repositoryId }: ContentsView,
  files: readonly Contents[],
): Promise<ReadonlyMap<string, Buffer | undefined>> {
  let room = MAX_CONTENT_BYTES;
  const read = files.filter(({ size }) => {
    if (size > room) return false;
    room -= size;
    return true;
  });
  const hashes = read.map(({ sha }) => sha);
  const blobs = await git.blobs(repositoryId, hashes, MAX_CONTENT_BYTES);
  return new Map(read.map(({ path, sha }) => [path, blobs.get(sha)?.content]));
}

function presentEntry(
  view: ContentsView,
  { path, hash, size, ...entry }: TreeEntry,
  lastCommit: Hash,
): Omit<Contents, 'last_commit_when'> {
  const { urls, revision } = view;
  const type = typeOf(entry);
  const self = addressOf(view, { path });
  // A revision of kind `commit` is one segment of the address, unlike a name: `refs%2Fheads%2Fmain`.
  const named = revision.kind === 'commit' ? encodeURIComponent(revision.word) : inUrl(revision.word);
  const at = `${revision.kind}/${named}/${inUrl(path)}`;
  const isObject = type !== 'submodule';
  const html = isObject ? `${urls.html}/src/${at}` : null;
  const git = isObject ? `${urls.api}/git/${type === 'dir' ? 'trees' : 'blobs'}/${hash}` : null;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha: hash,
    last_commit_sha: lastCommit,
    type,
    size: size ?? 0,
    encoding: null,
    content: null,
    target: null,
    url: self,
    html_url: html,
    git_url: git,
    download_url: type === 'file' || type === 'symlink' ? `${urls.html}/raw/${at}` : null,
    submodule_git_url: null,
    _links: { self, git, html },
  };
}

const addressOf = ({ urls, revision }: ContentsView, { path }: Pick<TreeEntry, 'path'>) =>
  `${urls.api}/contents/${inUrl(path)}?ref=${encodeURIComponent(revision.word)}`;

function typeOf({ type, mode }: Pick<TreeEntry, 'type' | 'mode'>): Contents['type'] {
  if (type === 'tree') return 'dir';
  if (type === 'commit') return 'submodule';
  return isLink({ mode }) ? 'symlink' : 'file';
}

const isSubmodule = ({ type }: TreeEntry) => type === 'commit';

const isLink = ({ mode }: Pick<TreeEntry, 'mode'>) => mode === '120000';
