import { z } from 'zod';
import { invalid } from '../../domain/errors.js';
import type { Paged } from '../../queries/page.js';
import { listOwnedRepositories, listOwnRepositories, ownOrders } from '../../queries/repositories/lists.js';
import type { RepositoryRow } from '../../queries/repositories/repositories.js';
import { anyone, signedIn } from '../access.js';
import type { ListRequest } from '../actions.js';
import { accountSeen } from '../accounts/visibility.js';
import type { Reply } from '../answers/answer.js';
import { organizationAt } from '../organizations/place.js';
import { PageQuery, pageReply, type Page } from '../answers/paging.js';
import { route } from '../route.js';
import { problem, queryText } from '../schema.js';
import { viewerOf } from './place.js';
import { presentRepositories } from './presenter.js';
import { Repository } from './schema.js';

/** Answers with the page of repositories that the query asks for, as `list` reads it. */
export async function repositoriesPage(
  { caller, query, page, services, url }: ListRequest,
  list: (part: Page) => Promise<Paged<RepositoryRow>>,
): Promise<Reply> {
  const part = page(query);
  const [rows, total] = await list(part);
  return pageReply(await presentRepositories(rows, caller, services), total, part, url);
}

/** Answers with a page of the repositories that an account owns. */
const ownedPage = (request: ListRequest & { readonly parent: { readonly id: number } }) =>
  repositoriesPage(request, (part) =>
    listOwnedRepositories(request.db, request.parent.id, viewerOf(request.caller), part),
  );

export const repositoryListRoutes = [
  route({
    id: 'orgListRepos',
    method: 'GET',
    path: '/orgs/{org}/repos',
    access: anyone,
    scope: 'organization',
    parent: organizationAt,
    query: PageQuery,
    answers: { 200: z.array(Repository), 403: problem, 404: problem },
    handle: (request) => ownedPage(request),
  }),

  /** Lists an organization's repositories too. */
  route({
    id: 'userListRepos',
    method: 'GET',
    path: '/users/{username}/repos',
    access: anyone,
    scope: ['user', 'repository'],
    parent: (place) => accountSeen(place, place.params.username),
    query: PageQuery,
    answers: { 200: z.array(Repository), 403: problem, 404: problem },
    handle: (request) => ownedPage(request),
  }),

  route({
    id: 'userCurrentListRepos',
    method: 'GET',
    path: '/user/repos',
    access: signedIn,
    scope: ['user', 'repository'],
    query: PageQuery.extend({ order_by: queryText }),
    answers: { 200: z.array(Repository), 401: problem, 403: problem, 422: problem },
    handle(request) {
      const { accountId } = request.caller;
      const { order_by: order = 'name' } = request.query;
      const orderBy = ownOrders.get(order);
      if (!orderBy) throw invalid('repository.order', 'OrderBy', 'must be name, id or size');
      return repositoriesPage(request, (part) =>
        listOwnRepositories(request.db, { accountId, orderBy }, viewerOf(request.caller), part),
      );
    },
  }),
];
