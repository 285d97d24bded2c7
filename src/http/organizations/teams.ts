import { z } from 'zod';
import { factsOf } from '../../commands/handle.js';
import { takeOffIssuesOf } from '../../commands/issues/take-off.js';
import { detachForeign } from '../../commands/organizations/detach-foreign.js';
import { Organization as OrganizationAggregate, teamOf } from '../../domain/organizations/organization.js';
import { hasOtherAccess } from '../../domain/organizations/team.js';
import { repositoryIdsOf } from '../../queries/organizations/team-repositories.js';
import {
  listTeamAssignees,
  listTeams,
  searchTeams,
  type TeamMet,
} from '../../queries/organizations/teams.js';
import type { Actions } from '../actions.js';
import { reply } from '../answers/answer.js';
import { untilShown } from '../moment.js';
import { pageHeaders, PageQuery, pageReply } from '../answers/paging.js';
import { route } from '../route.js';
import { nothing, problem, searchFailure } from '../schema.js';
import { organizationMember, organizationOwner, teamOwner, teamReader } from './access.js';
import { organizationAt, teamAt } from './place.js';
import { presentOrganization, presentTeam, presentTeamRow } from './presenter.js';
import { CreateTeamBody, EditTeamBody, Team, TeamParams, TeamSearchQuery } from './schema.js';

/** Renames the fields of a body to those of the domain. */
const asked = (body: z.output<typeof EditTeamBody>) => ({
  name: body.name,
  description: body.description,
  permission: body.permission,
  units: body.units,
  unitsMap: body.units_map,
  includesAllRepositories: body.includes_all_repositories,
  canCreateRepositories: body.can_create_org_repo,
});

type TeamRequest = Pick<Actions, 'context' | 'db' | 'services' | 'wrote'> & { readonly parent: TeamMet };

/** Lists the members of the team who are assigned to issues of the organization. */
const membersAssigned = ({ db, parent: { team, organization } }: TeamRequest): Promise<number[]> =>
  listTeamAssignees(db, { teamId: team.id, organizationId: organization.id });

/** Unassigns these members from the issues to which they may not be assigned any more. */
async function takeMembersOff(
  { parent, context, services, wrote }: TeamRequest,
  accountIds: readonly number[],
): Promise<void> {
  for (const accountId of accountIds)
    await wrote(await takeOffIssuesOf(services, parent.organization.id, accountId, context));
}

export const teamRoutes = [
  route({
    id: 'orgListTeams',
    method: 'GET',
    path: '/orgs/{org}/teams',
    access: organizationMember,
    scope: 'organization',
    parent: organizationAt,
    query: PageQuery,
    answers: { 200: z.array(Team), 401: problem, 403: problem, 404: problem },
    async handle({ parent, query, db, page }) {
      const part = page(query);
      const [rows, total] = await listTeams(db, parent.id, part);
      return pageReply(
        rows.map((row) => presentTeamRow(row)),
        total,
        part,
      );
    },
  }),

  /** Finds only the caller's own teams, unless the caller is a site administrator. */
  route({
    id: 'teamSearch',
    method: 'GET',
    path: '/orgs/{org}/teams/search',
    access: organizationMember,
    scope: 'organization',
    parent: organizationAt,
    query: TeamSearchQuery,
    answers: {
      200: z.object({ ok: z.boolean(), data: z.array(Team) }),
      401: problem,
      403: problem,
      404: problem,
      500: searchFailure,
    },
    async handle({ parent, caller, query, db, page, url }) {
      const part = page(query);
      const search = {
        organizationId: parent.id,
        text: query.q ?? '',
        inDescription: query.include_desc ?? true,
        memberId: caller.isAdmin ? null : caller.accountId,
      };
      const [rows, total] = await searchTeams(db, search, part);
      const data = rows.map((row) => presentTeamRow(row));
      return reply(200, { ok: true, data }, pageHeaders(total, part, url));
    },
  }),

  route({
    id: 'orgCreateTeam',
    method: 'POST',
    path: '/orgs/{org}/teams',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    body: CreateTeamBody,
    answers: { 201: Team, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle({ parent, body, caller, handle, newId, now, services }) {
      const data = { teamId: await newId('team'), team: asked(body), at: now() };
      const handled = await handle(OrganizationAggregate, parent.id, { type: 'CreateTeam', data });
      const { teamId, ...facts } = factsOf(handled, 'TeamCreated');
      return presentTeam(teamId, facts, presentOrganization(parent, caller, services));
    },
  }),

  route({
    id: 'orgGetTeam',
    method: 'GET',
    path: '/teams/{id}',
    access: teamReader,
    scope: 'organization',
    params: TeamParams,
    parent: teamAt,
    answers: { 200: Team, 401: problem, 403: problem, 404: problem },
    handle: ({ parent: { team, organization }, caller, services }) =>
      presentTeamRow(team, presentOrganization(organization, caller, services)),
  }),

  route({
    id: 'orgEditTeam',
    method: 'PATCH',
    path: '/teams/{id}',
    access: teamOwner,
    scope: 'organization',
    params: TeamParams,
    parent: teamAt,
    body: EditTeamBody,
    answers: { 200: Team, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { body, db, handle, now, services, context, wrote } = request;
      const { team, organization } = request.parent;
      const command = async () => {
        const mayNarrow = body.includes_all_repositories === false;
        if (mayNarrow) await untilShown(services);
        const repositoryIds = mayNarrow ? await repositoryIdsOf(db, organization.id) : [];
        const data = { teamId: team.id, changes: asked(body), repositoryIds, at: now() };
        return { type: 'EditTeam', data } as const;
      };
      const { events } = await handle(OrganizationAggregate, organization.id, command);
      const kept = events.flatMap((event) =>
        event.type === 'TeamRepositoriesAdded' ? event.data.repositoryIds : [],
      );
      await wrote(await detachForeign(services.commands, organization.id, kept, context));
      if (
        events.some((event) => event.type === 'TeamEdited' && hasOtherAccess(event.data.before, event.data))
      )
        await takeMembersOff(request, await membersAssigned(request));
      const { state } = await services.commands.load(OrganizationAggregate, organization.id);
      return presentTeam(team.id, teamOf(state, team.id).facts);
    },
  }),

  route({
    id: 'orgDeleteTeam',
    method: 'DELETE',
    path: '/teams/{id}',
    access: teamOwner,
    scope: 'organization',
    params: TeamParams,
    parent: teamAt,
    answers: { 204: nothing, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle(request) {
      const { parent, handle, now } = request;
      const { team, organization } = parent;
      const assigned = await membersAssigned(request);
      const data = { teamId: team.id, at: now() };
      await handle(OrganizationAggregate, organization.id, { type: 'DeleteTeam', data });
      await takeMembersOff(request, assigned);
    },
  }),
];
