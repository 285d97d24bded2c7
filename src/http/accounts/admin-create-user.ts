import { createUser, type NewUser } from '../../commands/accounts/create-account.js';
import { emailKey } from '../../domain/accounts/email.js';
import { findAccountById, type AccountRow } from '../../queries/accounts/accounts.js';
import { siteAdministrator } from '../access.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { presentAccount } from './presenter.js';
import { CreateUserBody, User } from './schema.js';
import { blankUser } from './special-users.js';

export const adminCreateUser = route({
  id: 'adminCreateUser',
  method: 'POST',
  path: '/admin/users',
  access: siteAdministrator,
  scope: 'admin',
  body: CreateUserBody,
  answers: { 201: User, 403: problem, 422: problem },
  async handle({ body, caller, context, db, now, services, wrote }) {
    const user = {
      name: body.username,
      email: body.email,
      password: body.password,
      fullName: body.full_name ?? '',
      loginName: body.login_name ?? '',
      mustChangePassword: body.must_change_password ?? true,
      restricted: body.restricted ?? false,
      visibility: body.visibility ?? 'public',
      createdAt: new Date(body.created_at ?? now()).toISOString(),
    };
    const { accountId, position } = await createUser(services, user, context);
    await wrote(position);
    const row = (await findAccountById(db, accountId)) ?? rowOf(accountId, user);
    return presentAccount(row, caller, services);
  },
});

/** Makes the row that the projection will make of this account, for answering before it has. */
const rowOf = (id: number, user: Required<NewUser>): AccountRow => ({
  ...blankUser(id, user.name, user.fullName),
  email: user.email,
  lower_emails: [emailKey(user.email)],
  hide_email: false,
  login_name: user.loginName,
  visibility: user.visibility,
  restricted: user.restricted,
  created_at: new Date(user.createdAt),
});
