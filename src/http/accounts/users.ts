import { anyone, signedIn } from '../access.js';
import { ownAccount } from '../find.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { presentAccount } from './presenter.js';
import { User } from './schema.js';
import { accountSeen } from './visibility.js';

export const getCurrentUser = route({
  id: 'userGetCurrent',
  method: 'GET',
  path: '/user',
  access: signedIn,
  scope: 'user',
  answers: { 200: User, 401: problem },
  handle: async ({ caller, db, services }) => presentAccount(await ownAccount(db, caller), caller, services),
});

/** Finds organizations too. Those that the caller may not know of are 404, as if they did not exist. */
export const getUser = route({
  id: 'userGet',
  method: 'GET',
  path: '/users/{username}',
  access: anyone,
  scope: 'user',
  answers: { 200: User, 404: problem },
  async handle({ params, caller, find, db, services }) {
    return presentAccount(await accountSeen({ find, db, caller }, params.username), caller, services);
  },
});
