import { z } from 'zod';
import { takeOffIssuesOf } from '../../commands/issues/take-off.js';
import { addTeamMember } from '../../commands/organizations/add-team-member.js';
import { invalid, notFound } from '../../domain/errors.js';
import { Organization } from '../../domain/organizations/organization.js';
import { findTeamMember, listTeamMembers } from '../../queries/organizations/teams.js';
import { presentAccount, presentUsers } from '../accounts/presenter.js';
import { User } from '../accounts/schema.js';
import { accountSeen, everybodyFor } from '../accounts/visibility.js';
import { couldBeAName, followMoved } from '../find.js';
import { pageReply, PageQuery } from '../answers/paging.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { teamOwner, teamReader } from './access.js';
import { teamAt } from './place.js';
import { TeamMemberParams, TeamParams } from './schema.js';

export const teamMemberRoutes = [
  route({
    id: 'orgListTeamMembers',
    method: 'GET',
    path: '/teams/{id}/members',
    access: teamReader,
    scope: 'organization',
    params: TeamParams,
    parent: teamAt,
    query: PageQuery,
    answers: { 200: z.array(User), 401: problem, 403: problem, 404: problem },
    async handle({ parent: { team }, caller, query, db, page, services }) {
      const part = page(query);
      const asked = { teamId: team.id, knower: everybodyFor(caller) };
      const [rows, total] = await listTeamMembers(db, asked, part);
      return pageReply(await presentUsers(rows, caller, services), total, part);
    },
  }),

  route({
    id: 'orgListTeamMember',
    method: 'GET',
    path: '/teams/{id}/members/{username}',
    access: teamReader,
    scope: 'organization',
    params: TeamMemberParams,
    parent: teamAt,
    answers: { 200: User, 401: problem, 403: problem, 404: problem },
    async handle({ parent: { team }, params: { username }, caller, db, services }) {
      const asked = { teamId: team.id, knower: everybodyFor(caller) };
      const member = couldBeAName(username) ? await findTeamMember(db, asked, username) : undefined;
      if (!member) await followMoved(db, username, caller);
      if (!member) throw notFound('team.member_absent', 'not in the team');
      return presentAccount(member, caller, services);
    },
  }),

  route({
    id: 'orgAddTeamMember',
    method: 'PUT',
    path: '/teams/{id}/members/{username}',
    access: teamOwner,
    scope: 'organization',
    params: TeamMemberParams,
    parent: teamAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, context, services, wrote } = request;
      const { team, organization } = parent;
      const { id: accountId, kind } = await accountSeen(request, params.username);
      if (kind !== 'user') throw invalid('team.member_kind', 'Username', 'an organization joins no team');
      const member = { organizationId: organization.id, teamId: team.id, accountId };
      await wrote(await addTeamMember(services.commands, member, context));
    },
  }),

  route({
    id: 'orgRemoveTeamMember',
    method: 'DELETE',
    path: '/teams/{id}/members/{username}',
    access: teamOwner,
    scope: 'organization',
    params: TeamMemberParams,
    parent: teamAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, params, handle, now, services, context, wrote } = request;
      const { team, organization } = parent;
      const { id: accountId } = await accountSeen(request, params.username);
      const data = { teamId: team.id, accountId, at: now() };
      await handle(Organization, organization.id, { type: 'RemoveTeamMember', data });
      await wrote(await takeOffIssuesOf(services, organization.id, accountId, context));
    },
  }),
];
