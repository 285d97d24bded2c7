import { z } from 'zod';
import {
  checkMayCreateOrganizations,
  createOrganization,
} from '../../commands/organizations/create-organization.js';
import { deleteOrganization } from '../../commands/organizations/delete-organization.js';
import { defined } from '../../values/defined.js';
import { Account } from '../../domain/accounts/account.js';
import { checkEmail } from '../../domain/accounts/email.js';
import { invalid } from '../../domain/errors.js';
import { listOrganizations } from '../../queries/organizations/organizations.js';
import { anyone, signedIn, siteAdministrator } from '../access.js';
import type { Actions, ListRequest } from '../actions.js';
import type { Principal } from '../caller.js';
import { PageQuery } from '../answers/paging.js';
import { refuseNarrowToken } from '../public-only.js';
import { followAccount } from '../repositories/follow-account.js';
import { ownedRepositories } from '../repositories/owned.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { organizationOwner } from './access.js';
import { organizationsPage } from './list.js';
import { organizationAt, viewerOfAll } from './place.js';
import { presentOrganization } from './presenter.js';
import { CreateOrganizationBody, EditOrganizationBody, Organization } from './schema.js';

type Create = Pick<Actions, 'context' | 'services' | 'wrote'> & {
  readonly caller: Principal;
  readonly body: z.output<typeof CreateOrganizationBody>;
};

async function create({ body, caller, context, services, wrote }: Create, creatorId: number) {
  const { full_name = '', email = '', description = '', website = '', location = '' } = body;
  const { visibility = 'public', repo_admin_change_team_access = false } = body;
  refuseNarrowToken({ visibility }, caller);
  const profile = { email, description, website, location, visibility };
  const { accountId, position } = await createOrganization(
    services,
    {
      ...profile,
      creatorId,
      name: body.username,
      fullName: full_name,
      repoAdminChangeTeamAccess: repo_admin_change_team_access,
    },
    context,
  );
  await wrote(position);
  return presentOrganization(
    {
      ...profile,
      id: accountId,
      name: body.username,
      full_name,
      repo_admin_change_team_access,
      created_at: new Date(context.at),
    },
    caller,
    services,
  );
}

/** Answers with all organizations that the caller may see. */
function list(request: ListRequest) {
  const { caller, db } = request;
  const viewer = viewerOfAll(caller);
  return organizationsPage(request, (part) => listOrganizations(db, viewer, part));
}

export const organizationRoutes = [
  route({
    id: 'orgGetAll',
    method: 'GET',
    path: '/orgs',
    access: anyone,
    scope: 'organization',
    query: PageQuery,
    answers: { 200: z.array(Organization) },
    handle: list,
  }),

  route({
    id: 'adminGetAllOrgs',
    method: 'GET',
    path: '/admin/orgs',
    access: siteAdministrator,
    scope: 'admin',
    query: PageQuery,
    answers: { 200: z.array(Organization), 401: problem, 403: problem },
    handle: list,
  }),

  route({
    id: 'orgCreate',
    method: 'POST',
    path: '/orgs',
    access: signedIn,
    scope: 'organization',
    body: CreateOrganizationBody,
    answers: { 201: Organization, 401: problem, 403: problem, 422: problem },
    async handle(request) {
      const { caller, services, wasDone } = request;
      if (!caller.isAdmin && !wasDone) await checkMayCreateOrganizations(services.commands, caller.accountId);
      return create(request, caller.accountId);
    },
  }),

  route({
    id: 'adminCreateOrg',
    method: 'POST',
    path: '/admin/users/{username}/orgs',
    access: siteAdministrator,
    scope: 'admin',
    parent: ({ find, params }) => find.account(params.username),
    body: CreateOrganizationBody,
    answers: { 201: Organization, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { id, kind } = request.parent;
      if (kind !== 'user')
        throw invalid('organization.owner_kind', 'Owner', 'an organization cannot own an organization');
      return create(request, id);
    },
  }),

  route({
    id: 'orgGet',
    method: 'GET',
    path: '/orgs/{org}',
    access: anyone,
    scope: 'organization',
    parent: organizationAt,
    answers: { 200: Organization, 404: problem },
    handle: ({ parent, caller, services }) => presentOrganization(parent, caller, services),
  }),

  /** Fields that are absent stay as they are, and so does the e-mail address if empty text is sent for it. */
  route({
    id: 'orgEdit',
    method: 'PATCH',
    path: '/orgs/{org}',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    body: EditOrganizationBody,
    answers: { 200: Organization, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, body, caller, handle, now, services } = request;
      const { full_name, email, description, website, location, visibility, repo_admin_change_team_access } =
        body;
      if (email !== undefined) checkEmail(email);
      if (visibility !== undefined) refuseNarrowToken({ visibility }, caller);
      const data = {
        accountId: parent.id,
        profile: defined({ fullName: full_name, email, description, website, location }),
        settings: defined({ visibility, repoAdminChangeTeamAccess: repo_admin_change_team_access }),
        newPassword: false,
        at: now(),
      };
      const { position } = await handle(Account, parent.id, { type: 'EditAccount', data });
      await followAccount(request, parent, { visibility, position });
      const edited = { ...parent, ...defined(body) };
      return presentOrganization(edited, caller, services);
    },
  }),

  route({
    id: 'orgDelete',
    method: 'DELETE',
    path: '/orgs/{org}',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle({ parent, context, db, services, wrote }) {
      const repositories = ownedRepositories({ db, services, wrote });
      const deletion = { accountId: parent.id, purge: false, repositories };
      await wrote(await deleteOrganization(services, deletion, context));
    },
  }),
];
