import { z } from 'zod';
import { changesOf } from '../../../commit-cache/changes-of.js';
import { conflict, invalid } from '../../../domain/errors.js';
import { isRefName } from '../../../domain/repositories/refs.js';
import type { CommitFacts } from '../../../git/port/objects.js';
import { withoutEnd } from '../../../values/without-end.js';
import { Download, reply } from '../../answers/answer.js';
import { EXPOSED_HEADERS, pageHeaders } from '../../answers/paging.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { codeReader } from '../access.js';
import { repositoryAt, type RepositoryRequest } from '../place.js';
import { pathAbsent } from './contents.js';
import { presentCommits, type Shown } from './present-commit.js';
import { revisionAbsent, revisionAt } from './revision.js';
import { ChangesText, Commit, CommitsQuery, ShownQuery } from './commit-schema.js';

/** Presents commits, with the changes of each if these are to be shown. */
async function present(
  request: RepositoryRequest,
  commits: readonly CommitFacts[],
  query: z.output<typeof ShownQuery>,
) {
  const shown: Shown = { stats: query.stat, files: query.files, verification: query.verification };
  const { parent, services } = request;
  const hashes = shown.files || shown.stats ? commits.map(({ hash }) => hash) : [];
  const changes = await changesOf(services.git, parent.repository.id, hashes);
  return presentCommits(request, commits, shown, changes);
}

export const commitRoutes = [
  route({
    id: 'repoGetAllCommits',
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: CommitsQuery,
    answers: { 200: z.array(Commit), 403: problem, 404: problem, 409: problem },
    async handle(request) {
      const { parent, query, services, page, url } = request;
      const { id, is_empty } = parent.repository;
      if (is_empty) throw conflict('repository.empty', 'the repository is empty');
      const part = page(query);
      const from = (await revisionAt(request, query.sha)).hash;
      const not = query.not === '' ? [] : [(await revisionAt(request, query.not)).hash];
      const path = withoutEnd(query.path.replace(/^\/+/, ''), '/');
      const { offset, limit } = part;
      const { commits, total } = await services.git.history(id, { from, not, path, offset, limit });
      if (path !== '' && total === 0) throw pathAbsent();
      const listed = await present(request, commits, query);
      return reply(200, listed, {
        ...pageHeaders(total, part, url),
        ...olderHeaders(part.number, limit, total),
      });
    },
  }),

  /** Answers with one commit or, if `.diff` or `.patch` follows, with its changes as text. */
  route({
    id: 'repoGetSingleCommit',
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/commits/{sha}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: ShownQuery,
    answers: { 200: z.union([Commit, ChangesText]), 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, query, services } = request;
      const { git } = services;
      const { id } = parent.repository;
      const [, word = '', format] = /^(.*?)(?:\.(diff|patch))?$/s.exec(params.sha) ?? [];
      if (!isRefName(`refs/heads/${word}`)) throw invalid('revision.name', 'Sha', 'no branch, tag or hash');
      const { hash } = await revisionAt(request, word);
      if (format === 'diff' || format === 'patch') {
        const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
        return new Download(200, headers, await git.diff(id, hash, format, request.client));
      }
      const commit = await git.commit(id, hash);
      if (!commit) throw revisionAbsent();
      const [presented] = await present(request, [commit], query);
      return presented;
    },
  }),
];

/** Returns the paging headers that older clients read. */
function olderHeaders(page: number, limit: number, total: number): Record<string, string> {
  const pages = Math.ceil(total / limit);
  const headers = {
    'X-Page': String(page),
    'X-PerPage': String(limit),
    'X-Total': String(total),
    'X-PageCount': String(pages),
    'X-HasMore': String(page < pages),
  };
  return {
    ...headers,
    'Access-Control-Expose-Headers': [EXPOSED_HEADERS, ...Object.keys(headers)].join(', '),
  };
}
