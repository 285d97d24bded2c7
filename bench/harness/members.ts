import type { Request } from './load.js';
import type { Product } from './product.js';

const GROUPS = 8;
const CREATED_AT_ONCE = 4;

export const GROUP_PATH = '/api/v1/admin/quota/groups';

/** `group-0` and so on, each with a rule of its own. */
export async function createGroups(product: Product): Promise<void> {
  for (let group = 0; group < GROUPS; group++) {
    await product.send('POST', GROUP_PATH, {
      name: `group-${group}`,
      rules: [{ name: `rule-${group}`, limit: 1_000_000, subjects: ['size:all'] }],
    });
  }
}

/** `user-0` and so on. */
export async function createUsers(product: Product, count: number): Promise<void> {
  let next = 0;
  const create = async () => {
    while (next < count) {
      const username = `user-${next++}`;
      await product.send('POST', '/api/v1/admin/users', {
        username,
        email: `${username}@example.org`,
        password: 'the password of a user',
      });
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
}

/** Puts a user into each group, then takes it out of each; `path` names a membership. */
export function inAndOut(path: (group: string, user: string) => string, user: number): Request[] {
  const paths = Array.from({ length: GROUPS }, (_, group) => path(`group-${group}`, `user-${user}`));
  return [
    ...paths.map((path): Request => ({ method: 'PUT', path })),
    ...paths.map((path): Request => ({ method: 'DELETE', path })),
  ];
}

export const membershipPath = (group: string, user: string): string => `${GROUP_PATH}/${group}/users/${user}`;

/** Takes the users out of every group, wherever a load stopped. */
export async function emptyGroups(product: Product, users: number): Promise<void> {
  await Promise.all(
    Array.from({ length: users }, (_, user) =>
      product.send('POST', `/api/v1/admin/users/user-${user}/quota/groups`, { groups: [] }),
    ),
  );
}
