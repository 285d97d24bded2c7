import { z } from 'zod';
import { renameAccount } from '../../commands/accounts/rename-account.js';
import { listUsers } from '../../queries/accounts/users.js';
import { siteAdministrator } from '../access.js';
import { pageReply } from '../answers/paging.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { presentUsers } from './presenter.js';
import { AdminUsersQuery, RenameUserBody, User } from './schema.js';
import { refuseOrganization } from './refuse-organization.js';

export const adminListUsers = route({
  id: 'adminSearchUsers',
  method: 'GET',
  path: '/admin/users',
  access: siteAdministrator,
  scope: 'admin',
  query: AdminUsersQuery,
  answers: { 200: z.array(User), 401: problem, 403: problem },
  async handle({ query, caller, db, page, services, url }) {
    const part = page(query);
    const filter = { sourceId: query.source_id || null, loginName: query.login_name ?? null };
    const [rows, total] = await listUsers(db, filter, part);
    return pageReply(await presentUsers(rows, caller, services), total, part, url);
  },
});

/** Renames a user. The old name redirects until another account takes it. */
export const adminRenameUser = route({
  id: 'adminRenameUser',
  method: 'POST',
  path: '/admin/users/{username}/rename',
  access: siteAdministrator,
  scope: 'admin',
  parent: ({ find, params }) => find.account(params.username),
  body: RenameUserBody,
  answers: { 204: nothing, 403: problem, 404: problem, 422: problem },
  async handle({ parent: account, body, context, services, wrote }) {
    refuseOrganization(account);
    await wrote(await renameAccount(services, account.id, body.new_username, context));
  },
});
