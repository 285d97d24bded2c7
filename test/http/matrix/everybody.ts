import { scopeCategories, type ScopeCategory } from '../../../src/domain/accounts/scopes.js';
import { ADMIN, type TestApi } from '../../support/api.js';
import type { Client } from '../../support/client.js';
import type { CallerName } from './callers.js';
import type { Make } from './furnish.js';

export type Sender = Pick<Client, 'send'>;
export type Callers = Readonly<Record<CallerName, Sender>>;

/** Signs everybody in. */
export async function everybody(api: TestApi, make: Make): Promise<Callers> {
  const token = (...scopes: string[]) => api.createToken(ADMIN.username, ...scopes);
  const lacking = async () => {
    const tokens = scopeCategories.map(async (lacks) => {
      const others = scopeCategories.filter((category) => category !== lacks);
      return [`token without ${lacks}`, await token(...others.map((category) => `write:${category}`))];
    });
    return Object.fromEntries(await Promise.all(tokens)) as Record<`token without ${ScopeCategory}`, Client>;
  };

  const suspended = await api.createUser('suspended');
  const tokenOfSuspended = await api.createToken('suspended', 'all');
  const changing = await api.createUser('changing');
  for (const { username, shut } of [
    { username: 'suspended', shut: { prohibit_login: true } },
    { username: 'changing', shut: { must_change_password: true } },
  ]) {
    await make('PATCH', `/admin/users/${username}`, { admin: true });
    await make('PATCH', `/admin/users/${username}`, shut);
  }

  return {
    anonymous: api.anonymous,
    stranger: await api.createUser('stranger'),
    'restricted stranger': await api.createUser('restricted', { restricted: true }),
    member: await api.createUser('member'),
    'team reader': await api.createUser('reader'),
    owner: await api.createUser('owner'),
    administrator: api.admin,
    'administrator as the stranger': {
      send: (method, path, body) => api.admin.send(method, path, body, { sudo: 'stranger' }),
    },
    'wrong password': api.as({ ...ADMIN, password: 'a wrong password' }),
    'unknown token': api.as({ token: '0123456789'.repeat(4) }),
    'suspended administrator': suspended,
    'token of a suspended administrator': tokenOfSuspended,
    'administrator who must change the password': changing,
    'token without scope': await token('read:misc'),
    ...(await lacking()),
    'read-only token': await token(...scopeCategories.map((category) => `read:${category}`)),
    'public-only token': await token('public-only', 'all'),
  };
}
