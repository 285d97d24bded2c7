import type { z } from 'zod';
import { createUser } from '../../commands/accounts/create-account.js';
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
    const { accountId, position } = await createUser(
      services,
      {
        name: body.username,
        email: body.email,
        password: body.password,
        fullName: body.full_name ?? '',
        loginName: body.login_name ?? '',
        mustChangePassword: body.must_change_password ?? true,
        restricted: body.restricted ?? false,
        visibility: body.visibility ?? 'public',
        createdAt: new Date(body.created_at ?? now()).toISOString(),
      },
      context,
    );
    await wrote(position);
    const row = (await findAccountById(db, accountId)) ?? rowOf(accountId, body, now());
    return presentAccount(row, caller, services);
  },
});

/** Makes the row that the projection will make of this account, for answering before it has. */
const rowOf = (id: number, body: z.output<typeof CreateUserBody>, now: string): AccountRow => ({
  ...blankUser(id, body.username, body.full_name ?? ''),
  email: body.email,
  lower_emails: [emailKey(body.email)],
  hide_email: false,
  login_name: body.login_name ?? '',
  visibility: body.visibility ?? 'public',
  restricted: body.restricted ?? false,
  created_at: new Date(body.created_at ?? now),
});
