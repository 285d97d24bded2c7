import { z } from 'zod';
import { notFound } from '../../../domain/errors.js';
import type { Actions } from '../../actions.js';
import { reply } from '../../answers/answer.js';
import { EXPOSED_HEADERS } from '../../answers/paging.js';
import { route } from '../../route.js';
import { problem } from '../../schema.js';
import { codeReader } from '../access.js';
import { repositoryAt, type RepositoryRequest } from '../place.js';
import { fitting, presentContents, presentListing, type ContentsView } from './present-contents.js';
import { revisionAt } from './revision.js';
import { ContentsResponse } from './file-schema.js';
import { RefQuery } from './schema.js';
import { urlsOf } from './urls.js';

/** The maximum number of a directory's entries in an answer; `X-Total-Count` has the number of all. */
const MAX_ENTRIES = 5_000;

type Request = RepositoryRequest & {
  readonly client: Actions['client'];
  readonly query: z.output<typeof RefQuery>;
};

/** Makes the 404 for a path at which the commit has neither file nor directory. */
export const pathAbsent = () => notFound('path.absent', 'nothing is at this path');

/** Answers with the file at a path, or with the directory's entries, one level deep and in git's order. */
async function contentsAt(request: Request, path: string) {
  const { parent, query, services, client } = request;
  const { git } = services;
  const { id, is_empty } = parent.repository;
  if (is_empty) return [];
  const revision = await revisionAt(request, query.ref);
  const urls = urlsOf(parent.repository, services.config.baseUrl);
  const view: ContentsView = { git, repositoryId: id, urls, revision };
  const entry = await git.entry(id, revision.hash, path);
  if (!entry) throw pathAbsent();
  if (entry.type !== 'tree') return presentContents(view, entry, client);
  const tree = await git.tree(id, entry.hash, { limit: MAX_ENTRIES });
  if (!tree) throw pathAbsent();
  const below = path === '' ? '' : `${path}/`;
  const entries = tree.entries.map((each) => ({ ...each, path: below + each.path }));
  return reply(200, await presentListing(view, fitting(view, entries)), {
    'X-Total-Count': String(tree.total),
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  });
}

export const contentsRoutes = [
  route({
    id: 'repoGetContentsList',
    method: 'GET',
    path: '/repos/{owner}/{repo}/contents',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: RefQuery,
    answers: { 200: z.array(ContentsResponse), 403: problem, 404: problem },
    handle: (request) => contentsAt(request, ''),
  }),

  route({
    id: 'repoGetContents',
    method: 'GET',
    path: '/repos/{owner}/{repo}/contents/{filepath*}',
    access: codeReader,
    scope: 'repository',
    parent: repositoryAt,
    query: RefQuery,
    answers: { 200: z.union([ContentsResponse, z.array(ContentsResponse)]), 403: problem, 404: problem },
    handle: (request) => contentsAt(request, request.params.filepath),
  }),
];
