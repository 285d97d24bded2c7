import { z } from 'zod';
import { invalid } from '../../domain/errors.js';
import { ownOrders, pageOfOwn, pageOfOwned, type RepositoryPage } from '../../queries/repositories/lists.js';
import { anyone, signedIn } from '../access.js';
import type { Actions } from '../actions.js';
import { accountSeen } from '../accounts/visibility.js';
import type { Reply } from '../answer.js';
import type { Caller } from '../caller.js';
import { organizationAt } from '../organizations/place.js';
import { OrganizationParams } from '../organizations/schema.js';
import { PageQuery, pageReply, type Page } from '../paging.js';
import { route } from '../route.js';
import { optional, problem, UsernameParams } from '../schema.js';
import { viewerOf } from './place.js';
import { presentRepositories } from './presenter.js';
import { Repository } from './schema.js';

/** A request for a page of repositories: whose eyes they are shown to, and where its links lead. */
export type RepositoryListRequest = Pick<Actions, 'db' | 'page' | 'services' | 'url'> & {
  readonly caller: Caller;
  readonly query: z.output<typeof PageQuery>;
};

/** The page of repositories that the query asks for; `read` gives its rows, and the number of all. */
export async function repositoriesPage(
  { caller, query, page, services, url }: RepositoryListRequest,
  read: (part: Page) => RepositoryPage,
): Promise<Reply> {
  const part = page(query);
  const [rows, total] = await Promise.all(read(part));
  return pageReply(await presentRepositories(rows, caller, services), total, part, url);
}

export const repositoryListRoutes = [
  route({
    id: 'orgListRepos',
    method: 'GET',
    path: '/orgs/{org}/repos',
    access: anyone,
    scope: 'organization',
    params: OrganizationParams,
    parent: organizationAt,
    query: PageQuery,
    answers: { 200: z.array(Repository), 403: problem, 404: problem },
    handle: (request) =>
      repositoriesPage(request, (part) =>
        pageOfOwned(request.db, request.parent.id, viewerOf(request.caller), part),
      ),
  }),

  /** Of organizations too. */
  route({
    id: 'userListRepos',
    method: 'GET',
    path: '/users/{username}/repos',
    access: anyone,
    scope: ['user', 'repository'],
    params: UsernameParams,
    parent: (place) => accountSeen(place, place.params.username),
    query: PageQuery,
    answers: { 200: z.array(Repository), 403: problem, 404: problem },
    handle: (request) =>
      repositoriesPage(request, (part) =>
        pageOfOwned(request.db, request.parent.id, viewerOf(request.caller), part),
      ),
  }),

  route({
    id: 'userCurrentListRepos',
    method: 'GET',
    path: '/user/repos',
    access: signedIn,
    scope: ['user', 'repository'],
    query: PageQuery.extend({ order_by: optional(z.string()) }),
    answers: { 200: z.array(Repository), 401: problem, 403: problem, 422: problem },
    handle(request) {
      const { accountId } = request.caller;
      const { order_by: order = '' } = request.query;
      const orderBy = ownOrders.get(order === '' ? 'name' : order);
      if (!orderBy) throw invalid('repository.order', 'OrderBy', 'must be name, id or size');
      return repositoriesPage(request, (part) =>
        pageOfOwn(request.db, { accountId, orderBy }, viewerOf(request.caller), part),
      );
    },
  }),
];
