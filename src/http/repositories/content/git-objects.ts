import { z } from 'zod';
import { badRequest, DomainError, notFound } from '../../../domain/errors.js';
import { isHash } from '../../../git/port/hash.js';
import type { TreeEntry } from '../../../git/port/objects.js';
import { listRefs } from '../../../queries/repositories/refs.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { codeReader } from '../access.js';
import { repositoryAt, type RepositoryRequest } from '../place.js';
import { contentAnswer } from './content-answer.js';
import { ownersOf } from './owners.js';
import { presentPerson } from './present-commit.js';
import { revisionAt } from './revision.js';
import { AnnotatedTag, GitBlob, GitTree, Reference, TreeQuery } from './git-schema.js';
import { inUrl, urlsOf, type RepositoryUrls } from './urls.js';
import { verifierOf } from './verification.js';

/** The maximum number of refs in an answer. */
const MAX_REFS = 10_000;
/** The maximum number of a tree's entries in an answer. */
export const MAX_TREE_ENTRIES = 1_000;
/** The maximum total size of their paths, in bytes. */
const MAX_TREE_BYTES = 2 * 1024 * 1024;
const NOBODY = { name: '', email: '', at: '1970-01-01T00:00:00Z' };

/** Presents the refs whose full name begins with a prefix. Throws 404 if there are none. */
async function refsBelow({ db, services, parent }: RepositoryRequest, prefix: string) {
  const { id } = parent.repository;
  const rows = await listRefs(db, id, prefix, MAX_REFS);
  if (rows.length === 0) throw notFound('ref.absent', 'no such ref');
  const urls = urlsOf(parent.repository, services.config.baseUrl);
  const hashes = rows.map(({ hash }) => hash);
  const types = await services.git.types(id, hashes);
  return rows.map(({ name, hash }) => ({
    ref: name,
    url: `${urls.api}/git/${inUrl(name)}`,
    object: presentObject(types.get(hash) ?? 'commit', hash, urls),
  }));
}

const presentObject = (type: string, sha: string, { api }: RepositoryUrls) => ({
  type,
  sha,
  url: `${api}/git/${type}s/${sha}`,
});

const presentEntry = ({ path, mode, type, size, hash }: TreeEntry, urls: RepositoryUrls) => ({
  path,
  mode,
  type,
  size: size ?? 0,
  sha: hash,
  url: type === 'commit' ? '' : presentObject(type, hash, urls).url,
});

/**
 * Returns the hash of a tree, or of a commit whose tree is meant. A branch, tag or commit stands for its tree, and with a
 * path in git's syntax, `main:src`, for the tree there. Returns empty text if there is none, which becomes a 400.
 */
async function treeOf(request: RepositoryRequest, asked: string): Promise<string> {
  const sha = asked.toLowerCase();
  if (isHash(sha)) return sha;
  const [word, path] = split(asked);
  try {
    const { hash } = await revisionAt(request, word);
    if (path === undefined) return hash;
    const entry = await request.services.git.entry(request.parent.repository.id, hash, path);
    return entry?.type === 'tree' ? entry.hash : '';
  } catch (error) {
    if (error instanceof DomainError) return '';
    throw error;
  }
}

/** Splits at the first colon, because no name holds one. */
function split(asked: string): [word: string, path?: string] {
  const colon = asked.indexOf(':');
  return colon > 0 ? [asked.slice(0, colon), asked.slice(colon + 1)] : [asked];
}

const noObject = (kind: string) => badRequest('git_object.absent', `no such ${kind}`);

export const gitObjectRoutes = [
  route({
    id: 'repoListAllGitRefs',
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/refs',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: z.array(Reference), 403: problem, 404: problem },
    handle: (request) => refsBelow(request, 'refs/'),
  }),

  route({
    id: 'repoListGitRefs',
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/refs/{ref*}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: z.array(Reference), 403: problem, 404: problem },
    handle: (request) => refsBelow(request, `refs/${request.params.ref}`),
  }),

  route({
    id: 'GetAnnotatedTag',
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/tags/{sha}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: AnnotatedTag, 400: problem, 403: problem, 404: problem },
    async handle({ caller, db, parent, params, services }) {
      const { git, config } = services;
      const { id } = parent.repository;
      const sha = params.sha.toLowerCase();
      const tag = (await git.tagObjects(id, [sha])).get(sha);
      if (!tag) throw noObject('annotated tag');
      const urls = urlsOf(parent.repository, config.baseUrl);
      const tagger = tag.tagger ?? NOBODY;
      const subject = { author: tagger, committer: tagger, signed: tag.signed };
      const verify = await verifierOf(db, [subject], await ownersOf({ db, services }, [subject], caller));
      return {
        tag: tag.name,
        sha: tag.hash,
        url: `${urls.api}/git/tags/${tag.hash}`,
        message: tag.message,
        tagger: presentPerson(tagger),
        object: presentObject(tag.object.type, tag.object.hash, urls),
        verification: verify(subject),
        archive_download_count: { zip: 0, tar_gz: 0 },
      };
    },
  }),

  route({
    id: 'GetTree',
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/trees/{sha}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: TreeQuery,
    answers: { 200: GitTree, 400: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, query, services } = request;
      const limit = query.per_page > 0 ? Math.min(query.per_page, MAX_TREE_ENTRIES) : MAX_TREE_ENTRIES;
      const page = Math.max(1, query.page);
      const offset = (page - 1) * limit;
      const hash = await treeOf(request, params.sha);
      const part = { recursive: query.recursive ?? false, offset, limit, maxBytes: MAX_TREE_BYTES };
      const tree = isHash(hash) ? await services.git.tree(parent.repository.id, hash, part) : undefined;
      if (!tree) throw noObject('tree');
      const urls = urlsOf(parent.repository, services.config.baseUrl);
      return {
        sha: tree.hash,
        url: `${urls.api}/git/trees/${tree.hash}`,
        tree: tree.entries.map((entry) => presentEntry(entry, urls)),
        truncated: offset + tree.entries.length < tree.total,
        page,
        total_count: tree.total,
      };
    },
  }),

  route({
    id: 'GetBlob',
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/blobs/{sha}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: GitBlob, 400: problem, 403: problem, 404: problem },
    async handle({ parent, params, services, client }) {
      const { git, config } = services;
      const repositoryId = parent.repository.id;
      const sha = params.sha.toLowerCase();
      const { api } = urlsOf(parent.repository, config.baseUrl);
      const url = `${api}/git/blobs/${sha}`;
      const answer = isHash(sha)
        ? await contentAnswer(git, { repositoryId, hash: sha, client }, ({ size }) => ({ url, sha, size }))
        : undefined;
      if (!answer) throw noObject('blob');
      return answer;
    },
  }),
];
