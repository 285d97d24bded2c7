import { searchUsers, type UserSearch } from '../../queries/accounts/users.js';
import { anyone } from '../access.js';
import { reply } from '../answers/answer.js';
import type { Caller } from '../caller.js';
import { pageHeaders, pageOfAll } from '../answers/paging.js';
import { isNarrow } from '../public-only.js';
import { route } from '../route.js';
import { searchFailure } from '../schema.js';
import { presentUsers } from './presenter.js';
import { FoundUsers, SearchUsersQuery } from './schema.js';
import { specialUsers } from './special-users.js';
import { knowerOf } from './visibility.js';

export const searchForUsers = route({
  id: 'userSearch',
  method: 'GET',
  path: '/users/search',
  access: anyone,
  scope: 'user',
  query: SearchUsersQuery,
  answers: { 200: FoundUsers, 500: searchFailure },
  async handle({ query, caller, db, page, services, url }) {
    const part = page(query);
    const special = specialUsers.get(query.uid);
    const search = {
      ...knowerOf(caller),
      fragment: query.q ?? '',
      id: query.uid || null,
      ownId: caller?.accountId ?? null,
      emails: emailsFor(caller),
    };
    const [rows, total] = special ? [pageOfAll([special], part), 1] : await searchUsers(db, search, part);
    const data = await presentUsers(rows, caller, services);
    return reply(200, { ok: true, data }, pageHeaders(total, part, url));
  },
});

/** Returns the set of addresses that a caller's search matches: those that the caller may see. */
function emailsFor(caller: Caller): UserSearch['emails'] {
  if (!caller) return 'none';
  return caller.isAdmin && !isNarrow(caller) ? 'all' : 'shown';
}
