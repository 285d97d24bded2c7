import { z } from 'zod';
import { createTag, type NewTag } from '../../../commands/repositories/create-tag.js';
import { deleteTag } from '../../../commands/repositories/delete-ref.js';
import { commitsOf } from '../../../commit-cache/commits-of.js';
import { notFound } from '../../../domain/errors.js';
import { checkTagName } from '../../../domain/repositories/names.js';
import { TAGS } from '../../../domain/repositories/refs.js';
import type { CommitFacts, TagFacts } from '../../../git/port/objects.js';
import { branchesAmong, findRef, listTags, type RefRow } from '../../../queries/repositories/refs.js';
import { pageReply, PageQuery } from '../../answers/paging.js';
import { route } from '../../route.js';
import { nothing, problem } from '../../schema.js';
import { codeReader, repositoryWriter } from '../access.js';
import { repositoryAt, type RepositoryRequest } from '../place.js';
import { signatureOf } from './identities.js';
import { presentMeta, timeOf } from './present-commit.js';
import { beginningAt } from './revision.js';
import { CreateTagBody, Tag } from './git-schema.js';
import { stillWriter } from './still-writer.js';
import { inUrl, urlsOf, type RepositoryUrls } from './urls.js';

const tagAbsent = () => notFound('tag.absent', 'no such tag');

/** Presents tags with their objects from git, leaving out those of no commit. */
async function presentTags({ db, parent, services }: RepositoryRequest, rows: readonly RefRow[]) {
  const { git, config } = services;
  const { id } = parent.repository;
  const urls = urlsOf(parent.repository, config.baseUrl);
  const hashes = rows.map(({ hash }) => hash);
  const names = rows.map(({ name }) => name);
  const [branches, objects] = await Promise.all([branchesAmong(db, id, names), git.tagObjects(id, hashes)]);
  const tipOf = await git.peel(id, [...objects.values()]);
  const commits = await commitsOf(
    services,
    id,
    hashes.flatMap((hash) => (objects.has(hash) ? tipOf.get(hash) : hash) ?? []),
  );
  return rows.flatMap(({ name, hash }) => {
    const commit = commits.get(tipOf.get(hash) ?? hash);
    const word = branches.has(name) ? TAGS + name : name;
    return commit ? [presentTag({ name, word }, objects.get(hash), commit, urls)] : [];
  });
}

/** Presents a Tag. Addresses name it by `word`: a branch of its name would come first. */
const presentTag = (
  { name, word }: { readonly name: string; readonly word: string },
  tag: TagFacts | undefined,
  commit: CommitFacts,
  urls: RepositoryUrls,
): z.output<typeof Tag> => ({
  name,
  message: (tag ?? commit).message.trim(),
  id: (tag ?? commit).hash,
  commit: { ...presentMeta(commit.hash, urls), created: timeOf(commit.committer) },
  zipball_url: `${urls.html}/archive/${inUrl(word)}.zip`,
  tarball_url: `${urls.html}/archive/${inUrl(word)}.tar.gz`,
  archive_download_count: { zip: 0, tar_gz: 0 },
});

async function presentNamed(request: RepositoryRequest, name: string) {
  const row = await findRef(request.db, request.parent.repository.id, TAGS + name);
  const [tag] = row ? await presentTags(request, [{ name: row.short_name, hash: row.hash }]) : [];
  if (!tag) throw tagAbsent();
  return tag;
}

const refusals = { 401: problem, 403: problem, 404: problem, 423: problem };

export const tagRoutes = [
  route({
    id: 'repoListTags',
    method: 'GET',
    path: '/repos/{owner}/{repo}/tags',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: PageQuery,
    answers: { 200: z.array(Tag), 403: problem, 404: problem },
    async handle(request) {
      const { parent, query, db, page, url } = request;
      const { id } = parent.repository;
      const part = page(query);
      const [rows, total] = await listTags(db, id, part);
      return pageReply(await presentTags(request, rows), total, part, url);
    },
  }),

  route({
    id: 'repoGetTag',
    method: 'GET',
    path: '/repos/{owner}/{repo}/tags/{tag*}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 200: Tag, 403: problem, 404: problem },
    handle: (request) => presentNamed(request, request.params.tag),
  }),

  /** With a message, the tag is annotated and the caller is its tagger. */
  route({
    id: 'repoCreateTag',
    method: 'POST',
    path: '/repos/{owner}/{repo}/tags',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    body: CreateTagBody,
    answers: { 201: Tag, ...refusals, 409: problem, 413: problem, 422: problem },
    async handle(request) {
      const { parent, body, caller, context, services, wrote } = request;
      const { message, tag_name: name } = body;
      checkTagName(name, 'TagName');
      const tag: NewTag = {
        repositoryId: parent.repository.id,
        pusherId: caller.accountId,
        name,
        commit: (repository) => beginningAt(request, repository, body.target ?? ''),
        annotation: message === undefined ? undefined : { message, tagger: await signatureOf(request) },
        ...stillWriter(request),
      };
      await wrote(await createTag(services, tag, context));
      return presentNamed(request, name);
    },
  }),

  route({
    id: 'repoDeleteTag',
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/tags/{tag*}',
    access: repositoryWriter,
    scope: 'repository',
    parent: repositoryAt,
    answers: { 204: nothing, ...refusals, 409: problem },
    async handle(request) {
      const { parent, params, caller, context, services, wrote } = request;
      const place = { repositoryId: parent.repository.id, pusherId: caller.accountId };
      const tag = { ...place, name: params.tag, ...stillWriter(request) };
      await wrote(await deleteTag(services, tag, context));
    },
  }),
];
