import { notFound } from '../../domain/errors.js';
import { findAccountById } from '../../queries/accounts/accounts.js';
import { anyone, signedIn } from '../access.js';
import { route } from '../route.js';
import { problem, UsernameParams } from '../schema.js';
import { presentAccount } from './presenter.js';
import { User } from './schema.js';
import { isVisible } from './visibility.js';

export const getCurrentUser = route({
  id: 'userGetCurrent',
  method: 'GET',
  path: '/user',
  access: signedIn,
  scope: 'user',
  answers: { 200: User, 401: problem },
  async handle({ caller, db, services }) {
    const account = await findAccountById(db, caller.accountId);
    if (!account) throw notFound('account.absent', 'no such user or organization');
    return presentAccount(account, caller, services);
  },
});

/** Organizations are found as well. What the caller may not see is answered like what is not there. */
export const getUser = route({
  id: 'userGet',
  method: 'GET',
  path: '/users/{username}',
  access: anyone,
  scope: 'user',
  params: UsernameParams,
  answers: { 200: User, 404: problem },
  async handle({ params, caller, find, services }) {
    const account = await find.account(params.username);
    if (!isVisible(account, caller)) throw notFound('account.absent', 'no such user or organization');
    return presentAccount(account, caller, services);
  },
});
