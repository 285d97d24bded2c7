import type { z } from 'zod';
import { editAccount, type AccountEdit } from '../../commands/accounts/edit-account.js';
import { defined } from '../../values/defined.js';
import { findAccountById } from '../../queries/accounts/accounts.js';
import { siteAdministrator } from '../access.js';
import { refuseNarrowToken } from '../public-only.js';
import { followAccount } from '../repositories/follow-account.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { presentAccount } from './presenter.js';
import { EditUserBody, User } from './schema.js';
import { refuseOrganization } from './refuse-organization.js';

export const adminEditUser = route({
  id: 'adminEditUser',
  method: 'PATCH',
  path: '/admin/users/{username}',
  access: siteAdministrator,
  scope: 'admin',
  parent: ({ find, params }) => find.account(params.username),
  body: EditUserBody,
  answers: { 200: User, 403: problem, 404: problem, 422: problem },
  async handle(request) {
    const { parent: account, body, caller, context, db, services, wrote, shown } = request;
    if (fieldsOfUsers.some((field) => body[field] !== undefined && body[field] !== ''))
      refuseOrganization(account);
    if (account.kind === 'organization') {
      refuseNarrowToken(account, caller);
      if (body.visibility !== undefined) refuseNarrowToken({ visibility: body.visibility }, caller);
    }
    const { position } = await editAccount(services, account.id, editOf(body), context);
    await wrote(position);
    await followAccount(request, account, { visibility: body.visibility, position });
    await shown();
    return presentAccount((await findAccountById(db, account.id)) ?? account, caller, services);
  },
});

/** The fields that only users have. Clients send empty text for no change. */
const fieldsOfUsers = [
  'admin',
  'password',
  'must_change_password',
  'prohibit_login',
  'active',
  'restricted',
  'login_name',
  'pronouns',
  'hide_email',
  'allow_git_hook',
  'allow_import_local',
  'allow_create_organization',
] as const;

/** Reads a number of repositories: anything negative is no limit, and more than a double can count is as good as that. */
const repositoriesFrom = (limit: bigint): number =>
  Math.min(Math.max(-1, Number(limit)), Number.MAX_SAFE_INTEGER);

function editOf(body: z.output<typeof EditUserBody>): AccountEdit {
  const { password, admin, max_repo_creation: maxRepoCreation } = body;
  return defined({
    settings: defined({
      sourceId: body.source_id,
      visibility: body.visibility,
      restricted: body.restricted,
      active: body.active,
      prohibitLogin: body.prohibit_login,
      mustChangePassword: body.must_change_password,
      hideEmail: body.hide_email,
      allowGitHook: body.allow_git_hook,
      allowImportLocal: body.allow_import_local,
      allowCreateOrganization: body.allow_create_organization,
      maxRepoCreation: maxRepoCreation === undefined ? undefined : repositoriesFrom(maxRepoCreation),
    }),
    profile: defined({
      fullName: body.full_name,
      loginName: body.login_name,
      email: body.email,
      website: body.website,
      location: body.location,
      pronouns: body.pronouns,
      description: body.description,
    }),
    password: password === '' ? undefined : password,
    admin,
  });
}
