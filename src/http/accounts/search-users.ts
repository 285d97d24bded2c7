import { searchUsers } from '../../queries/accounts/users.js';
import { anyone } from '../access.js';
import { reply } from '../answer.js';
import type { Caller } from '../caller.js';
import { pageReply } from '../paging.js';
import { isNarrow } from '../public-only.js';
import { route } from '../route.js';
import { presentUsers } from './presenter.js';
import { FoundUsers, SearchUsersQuery } from './schema.js';
import { specialUsers } from './special-users.js';

export const searchForUsers = route({
  id: 'userSearch',
  method: 'GET',
  path: '/users/search',
  access: anyone,
  scope: 'user',
  query: SearchUsersQuery,
  answers: { 200: FoundUsers },
  async handle({ query, caller, db, page, services, url }) {
    const part = page(query);
    const special = specialUsers.get(query.uid);
    const search = { fragment: query.q ?? '', id: query.uid || null, ...viewOf(caller) };
    const [rows, total] = special ? [[special], 1] : await Promise.all(searchUsers(db, search, part));
    const { headers } = pageReply([], total, part, url);
    return reply(200, { ok: true, data: await presentUsers(rows, caller, services) }, headers);
  },
});

/** What a search looks at for somebody: users that one may know of, and addresses that one is shown. */
function viewOf(caller: Caller) {
  const viewerId = caller?.accountId ?? null;
  if (isNarrow(caller)) return { viewerId, sees: ['public'], narrow: true, emails: 'shown' } as const;
  if (!caller) return { viewerId, sees: ['public'], narrow: false, emails: 'none' } as const;
  if (caller.isAdmin)
    return { viewerId, sees: ['public', 'limited', 'private'], narrow: false, emails: 'all' } as const;
  const sees = caller.restricted ? ['public'] : ['public', 'limited'];
  return { viewerId, sees, narrow: false, emails: 'shown' } as const;
}
