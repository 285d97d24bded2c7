import { anybody, selfByPassword, signedIn, siteAdministrators as policy } from '../policy.js';
import type { Other, Row, Rows } from '../row.js';
import type { World } from '../world.js';

const freshUser = async ({ api, unique }: World) => ({
  username: (await api.createUser(unique())).username,
});

const addressOf = (name: string) => `${name}@example.org`;

/** A private user, whom site administrators alone see. */
export const hiddenUser = (anonymous: 401 | 404): Other => ({
  what: 'private user',
  names: () => ({ username: 'hidden' }),
  hidden: true,
  answers: {
    anonymous,
    stranger: 404,
    'restricted stranger': 404,
    member: 404,
    administrator: 'success',
    'public-only token': 403,
  },
});

/** For paths that name the member: under a name that is nobody's, the member is somebody else. */
const own = {
  policy: selfByPassword,
  absent: { username: { anonymous: 401, stranger: 403, member: 403, administrator: 404 } },
} satisfies Row;

export const accountRows: Rows = {
  adminCreateUser: {
    policy,
    body: (username) => ({ username, email: addressOf(username), password: 'correct horse' }),
  },
  adminEditUser: { policy, body: () => ({ full_name: 'Somebody' }) },
  adminDeleteUser: { policy, fresh: freshUser },
  adminSearchUsers: { policy },
  adminRenameUser: { policy, fresh: freshUser, body: (name) => ({ new_username: name }) },
  adminListHistory: { policy },
  userGetCurrent: { policy: signedIn },
  userGet: { policy: anybody, others: [hiddenUser(404)] },
  userSearch: { policy: anybody },
  getUserSettings: { policy: signedIn },
  updateUserSettings: { policy: signedIn, body: () => ({ description: 'changed' }) },
  userListEmails: { policy: signedIn },
  userAddEmail: { policy: signedIn, body: (name) => ({ emails: [addressOf(name)] }) },
  userDeleteEmail: {
    policy: signedIn,
    async fresh({ unique }, caller) {
      const email = addressOf(unique());
      await caller.send('POST', '/user/emails', { emails: [email] });
      return { email };
    },
    body: (_, { email }) => ({ emails: [email] }),
  },

  userListTokens: { ...own },
  userCreateToken: { ...own, body: (name) => ({ name, scopes: ['read:user'] }) },
  userDeleteAccessToken: {
    ...own,
    fresh: async ({ api }) => ({ token: (await api.createToken('member', 'read:user')).id }),
    elsewhere: { token: ({ elsewhere }) => elsewhere.token },
  },
};
