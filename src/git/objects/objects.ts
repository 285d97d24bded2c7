import { join } from 'node:path';
import type { Repository } from 'nodegit';
import { looseBytes } from '../disk/loose.js';
import { libgit2 } from '../nodegit/libgit2.js';
import { GitLimitExceeded } from '../port/errors.js';
import { isHash, type Hash } from '../port/hash.js';
import type { CommitFacts, FileSize, Objects, TreeEntry } from '../port/objects.js';
import type { Parts } from '../parts.js';
import type { GitProgram } from '../program/git-program.js';
import { outputOf } from '../program/output.js';
import { readBlob, readBlobs } from './blob.js';
import { checkLength, contentsOf } from './contents.js';
import { fewFiles, type PlacedFile } from './few-files.js';
import { infoOf } from './info.js';
import { entriesOf, listTree } from './list-tree.js';
import { parseCommit, parseCommitBytes } from './commit-text.js';
import { isEncoded } from './encoding.js';
import { isReadablePath } from './path.js';
import { peelTags, readTags } from './read-tags.js';
import { isUnclear } from './signed-bytes.js';

/** The maximum size of a commit. nodegit loads it whole, and would crash by one of over 512 MiB: some megabytes in a push. */
const MAX_COMMIT_BYTES = 4 * 1024 * 1024;

/** How many bytes one compressed byte of a loose object unfolds to at most. */
const MOST_UNFOLDED = 1_032;

/** A parsed commit, and the size of its text in bytes. */
interface CommitRead {
  readonly facts: CommitFacts;
  readonly bytes: number;
}

/** Implements reading of objects, some with nodegit, and with the git program what nodegit cannot read. */
export function objectsOf(parts: Parts): Objects {
  const { layout, program, handles } = parts;

  /**
   * Selects the hashes of commits, without loading any object but the smallest: nodegit would load one of another type as
   * well. Throws `GitLimitExceeded` if a commit is too large.
   */
  const commitsAmong = async (path: string, hashes: readonly Hash[]): Promise<readonly Hash[]> => {
    const asked = hashes.filter(isHash);
    const small = new Set<Hash>();
    for (const hash of asked)
      if (((await looseBytes(join(path, 'objects'), hash)) ?? Infinity) * MOST_UNFOLDED <= MAX_COMMIT_BYTES)
        small.add(hash);
    const others = asked.filter((hash) => !small.has(hash));
    const infos = (await infoOf(program, path, others)).filter(({ type }) => type === 'commit');
    if (infos.some(({ size }) => size > MAX_COMMIT_BYTES))
      throw new GitLimitExceeded('bytes', 'a commit is too large');
    const known = new Set(infos.map(({ asked: hash }) => hash));
    return asked.filter((hash) => small.has(hash) || known.has(hash));
  };

  /** Reads what `commitsAmong` selected. */
  const clearCommit = (path: string, hash: Hash): Promise<CommitRead | 'unclear' | undefined> =>
    handles.use(path, (repository) => readCommit(repository, hash)).catch(() => 'unclear');

  const commitOf = async (path: string, asked: Hash): Promise<CommitFacts | undefined> => {
    const [hash] = await commitsAmong(path, [asked]);
    if (hash === undefined) return undefined;
    const read = await clearCommit(path, hash);
    return read === 'unclear' ? (await oddCommits(program, path, [hash])).get(hash) : read?.facts;
  };

  const tree: Objects['tree'] = async (id, hash, options = {}) => {
    const path = await layout.existing(id);
    const [info] = isHash(hash) ? await infoOf(program, path, [`${hash}^{tree}`]) : [];
    return info && { hash: info.hash, ...(await listTree(program, path, info.hash, options)) };
  };

  /** Calls `fewFiles`; also undefined if nodegit cannot read the commit. */
  const fewFilesOf = (path: string, commit: Hash) =>
    handles.use(path, (repository) => fewFiles(path, repository, commit)).catch(() => undefined);

  return {
    async commit(id, hash) {
      return await commitOf(await layout.existing(id), hash);
    },

    async commits(id, hashes) {
      const path = await layout.existing(id);
      const commits: (CommitFacts | Hash)[] = [];
      let bytes = 0;
      for (const hash of await commitsAmong(path, hashes)) {
        const read = await clearCommit(path, hash);
        if (!read) continue;
        commits.push(read === 'unclear' ? hash : read.facts);
        if (read !== 'unclear') bytes += read.bytes;
        checkLength('commit', bytes);
      }
      const odd = await oddCommits(
        program,
        path,
        commits.filter((commit) => typeof commit === 'string'),
      );
      return commits.flatMap((commit) => (typeof commit === 'string' ? (odd.get(commit) ?? []) : commit));
    },

    async tagObjects(id, hashes) {
      return await readTags(program, await layout.existing(id), hashes.filter(isHash));
    },

    async peel(id, tags) {
      return await peelTags(program, await layout.existing(id), tags);
    },

    async types(id, hashes) {
      const path = await layout.existing(id);
      const infos = await infoOf(program, path, hashes.filter(isHash));
      return new Map(infos.map(({ asked, type }) => [asked, type]));
    },

    tree,

    async files(id, commit, { wanted, limit }) {
      const path = await layout.existing(id);
      const few = isHash(commit) ? await fewFilesOf(path, commit) : undefined;
      if (few)
        return await withSizes(
          program,
          path,
          few.filter((file) => wanted(file.path)),
        );
      const listed = await tree(id, commit, { recursive: true, limit });
      return listed?.entries.flatMap(({ path, mode, size }) =>
        size !== null && mode !== '120000' && wanted(path) ? [{ path, size }] : [],
      );
    },

    async entry(id, commit, treePath): Promise<TreeEntry | undefined> {
      const path = await layout.existing(id);
      if (!isHash(commit)) return undefined;
      if (treePath !== '')
        return (await entriesOf(program, path, commit, [treePath].filter(isReadablePath))).get(treePath);
      const read = await commitOf(path, commit);
      return read && { path: '', mode: '040000', type: 'tree', hash: read.tree, size: null };
    },

    async entries(id, commit, treePaths) {
      const path = await layout.existing(id);
      return await entriesOf(program, path, commit, isHash(commit) ? treePaths.filter(isReadablePath) : []);
    },

    async blob(id, hash, maxBytes) {
      const path = await layout.existing(id);
      return isHash(hash) ? await readBlob(program, path, hash, maxBytes) : undefined;
    },

    async blobs(id, hashes, maxBytes) {
      return await readBlobs(program, await layout.existing(id), hashes.filter(isHash), maxBytes);
    },

    async blobStream(id, hash, client) {
      const path = await layout.existing(id);
      const [info] = isHash(hash) ? await infoOf(program, path, [hash]) : [];
      if (info?.type !== 'blob') return undefined;
      const running = await program.start('files', path, ['cat-file', 'blob', hash], { client });
      return { size: info.size, stream: outputOf(layout, id, running) };
    },
  };
}

/** Adds the sizes of files; leaves out files whose blob is missing. */
async function withSizes(
  program: GitProgram,
  path: string,
  files: readonly PlacedFile[],
): Promise<FileSize[]> {
  const infos = await infoOf(program, path, [...new Set(files.map(({ hash }) => hash))]);
  const sizes = new Map(infos.map(({ hash, size }) => [hash, size]));
  return files.flatMap(({ path, hash }) => {
    const size = sizes.get(hash);
    return size === undefined ? [] : [{ path, size }];
  });
}

/** Reads a commit with nodegit; `unclear` if its raw bytes are needed, because nodegit decodes the text as UTF-8. */
async function readCommit(repository: Repository, hash: Hash): Promise<CommitRead | 'unclear'> {
  const oid = libgit2().Oid.fromString(hash);
  const commit = await libgit2().Commit.lookup(repository, oid);
  // Only after the look-up, which rejects if there is no such commit: `read` would never settle then.
  const object = await (await repository.odb()).read(oid);
  const [header, message] = [commit.rawHeader(), commit.messageRaw()];
  const facts = parseCommit(hash, header, message);
  return isUnclear(facts) || isEncoded(header, message) ? 'unclear' : { facts, bytes: object.size() };
}

/**
 * Reads, with the git program, commits that libgit2 does not understand, and those whose raw bytes are needed. Rejects with
 * git's message if one is no commit.
 */
async function oddCommits(
  program: GitProgram,
  path: string,
  hashes: readonly Hash[],
): Promise<Map<Hash, CommitFacts>> {
  const contents = await contentsOf(program, path, 'commit', hashes);
  const commits = new Map<Hash, CommitFacts>();
  for (const hash of hashes) {
    const content = contents.get(hash) ?? (await program.run(path, ['cat-file', 'commit', hash])).stdout;
    commits.set(hash, parseCommitBytes(hash, content));
  }
  return commits;
}
