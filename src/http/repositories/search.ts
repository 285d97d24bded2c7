import { z } from 'zod';
import type { Queryable } from '../../database/queryable.js';
import { invalid } from '../../domain/errors.js';
import {
  searchModes,
  searchRepositories,
  searchSorts,
  type RepositorySearch,
} from '../../queries/repositories/search.js';
import { findAccountById } from '../../queries/accounts/accounts.js';
import { anyone } from '../access.js';
import { isKnown } from '../accounts/visibility.js';
import { reply } from '../answers/answer.js';
import type { Caller } from '../caller.js';
import { pageHeaders, PageQuery } from '../answers/paging.js';
import { isNarrow } from '../public-only.js';
import { listed, MOST_CONDITIONS } from '../query.js';
import { route } from '../route.js';
import { optional, problem, queryBoolean, queryInteger, queryText, searchFailure } from '../schema.js';
import { viewerOf } from './place.js';
import { presentRepositories } from './presenter.js';
import { Repository } from './schema.js';

const SearchQuery = PageQuery.extend({
  q: optional(z.string()),
  uid: queryInteger,
  exclusive: queryBoolean,
  mode: queryText,
  sort: queryText,
  order: queryText,
  private: queryBoolean,
  is_private: queryBoolean,
  topic: queryBoolean,
  includeDesc: queryBoolean,
  template: queryBoolean,
  archived: queryBoolean,
  priority_owner_id: queryInteger,
  team_id: queryInteger,
  starredBy: queryInteger,
});

const FoundRepositories = z.object({ ok: z.boolean(), data: z.array(Repository) });

type Query = z.output<typeof SearchQuery>;

/** The most repositories of a page, also where other lists may have more: the specification says so of this one. */
const MOST_OF_A_PAGE = 50;

const idOf = (value: number) => (value === 0 ? undefined : value);

/** Checks that text, if there is any, is one of the words. Throws 422 for any other. */
function oneOf<Word extends string>(words: readonly Word[], text: string | undefined, field: string) {
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text);
  if (!word) throw invalid('repository.search', field, `must be one of ${words.join(', ')}`);
  return word;
}

function searchOf(query: Query, caller: Caller): RepositorySearch {
  const text = (query.q ?? '').trim();
  const [owner = '', name = '', ...rest] = text.toLowerCase().split('/');
  const sort = oneOf(searchSorts, query.sort, 'Sort');
  const order = sort && oneOf(['asc', 'desc'] as const, query.order, 'Order');
  return {
    viewer: viewerOf(caller),
    onlyPublic: !caller || isNarrow(caller) || query.private === false,
    words: listed(text).slice(0, MOST_CONDITIONS),
    inTopicsAlone: query.topic ?? false,
    inDescriptions: query.includeDesc ?? false,
    path: text.includes('/') && rest.length === 0 ? { owner, name } : undefined,
    accountId: idOf(query.uid),
    exclusive: query.exclusive ?? false,
    mode: oneOf(searchModes, query.mode, 'Mode'),
    isPrivate: query.is_private,
    isTemplate: query.template,
    isArchived: query.archived,
    teamId: idOf(query.team_id),
    priorityOwnerId: idOf(query.priority_owner_id),
    sort,
    descending: order === 'desc',
  };
}

/** Tells whether the caller may know of the account with that id; true if there is no id. */
async function isKnownById(db: Queryable, id: number | undefined, caller: Caller): Promise<boolean> {
  if (id === undefined) return true;
  const account = await findAccountById(db, id);
  return account !== undefined && isKnown(db, account, caller);
}

export const searchRepositoriesRoute = route({
  id: 'repoSearch',
  method: 'GET',
  path: '/repos/search',
  access: anyone,
  scope: 'repository',
  query: SearchQuery,
  answers: { 200: FoundRepositories, 422: problem, 500: searchFailure },
  async handle({ query, caller, db, page, services, url }) {
    const search = searchOf(query, caller);
    const part = page({ ...query, limit: Math.min(page(query).limit, MOST_OF_A_PAGE) });
    // There are no stars here, and an account that the caller may not know of has no repositories for it.
    const isNothing = query.starredBy !== 0 || !(await isKnownById(db, search.accountId, caller));
    const [rows, total] = isNothing ? [[], 0] : await searchRepositories(db, search, part);
    const data = await presentRepositories(rows, caller, services);
    return reply(200, { ok: true, data }, pageHeaders(total, part, url));
  },
});
