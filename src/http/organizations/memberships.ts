import { z } from 'zod';
import { findStanding, listOrganizationsOf } from '../../queries/organizations/organizations.js';
import { listTeamsOf } from '../../queries/organizations/teams.js';
import { signedIn } from '../access.js';
import type { ListRequest } from '../actions.js';
import { seesPrivate } from '../accounts/presenter.js';
import { accountSeen } from '../accounts/visibility.js';
import { pageReply, PageQuery } from '../answers/paging.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { organizationsPage } from './list.js';
import { mayKnow, organizationAbsent, organizationAt, viewerOfMember } from './place.js';
import { presentOrganization, presentPermissions, presentTeamRow } from './presenter.js';
import { Organization, OrganizationPermissions, Team } from './schema.js';

/** Answers with a member's organizations: all of them for that member and site administrators, else the public ones. */
function listOf(request: ListRequest, memberId: number) {
  const { caller, db } = request;
  const concealed = seesPrivate(caller, memberId);
  const asked = { memberId, concealed, viewer: viewerOfMember(caller, concealed) };
  return organizationsPage(request, (part) => listOrganizationsOf(db, asked, part));
}

export const membershipRoutes = [
  route({
    id: 'orgListCurrentUserOrgs',
    method: 'GET',
    path: '/user/orgs',
    access: signedIn,
    scope: ['user', 'organization'],
    query: PageQuery,
    answers: { 200: z.array(Organization), 401: problem },
    handle: (request) => listOf(request, request.caller.accountId),
  }),

  route({
    id: 'orgListUserOrgs',
    method: 'GET',
    path: '/users/{username}/orgs',
    access: signedIn,
    scope: ['user', 'organization'],
    query: PageQuery,
    answers: { 200: z.array(Organization), 401: problem, 404: problem },
    async handle(request) {
      const account = await accountSeen(request, request.params.username);
      return listOf(request, account.id);
    },
  }),

  /** The organization must be one that both the caller and the user may know of. */
  route({
    id: 'orgGetUserPermissions',
    method: 'GET',
    path: '/users/{username}/orgs/{org}/permissions',
    access: signedIn,
    scope: ['user', 'organization'],
    answers: { 200: OrganizationPermissions, 401: problem, 404: problem },
    async handle(request) {
      const account = await accountSeen(request, request.params.username);
      const organization = await organizationAt(request);
      const standing = await findStanding(request.db, organization.id, account.id);
      const theirs = { ...organization, viewer_rank: standing.rank };
      if (!mayKnow(theirs, { isAdmin: account.is_admin, restricted: account.restricted }))
        throw organizationAbsent();
      return presentPermissions(standing);
    },
  }),

  route({
    id: 'userListTeams',
    method: 'GET',
    path: '/user/teams',
    access: signedIn,
    scope: 'user',
    query: PageQuery,
    answers: { 200: z.array(Team), 401: problem },
    async handle({ caller, db, page, query, services }) {
      const part = page(query);
      const { sees } = viewerOfMember(caller, true);
      const [rows, total] = await listTeamsOf(db, caller.accountId, sees, part);
      const teams = rows.map(({ team, organization }) =>
        presentTeamRow(team, presentOrganization(organization, caller, services)),
      );
      return pageReply(teams, total, part);
    },
  }),
];
