import { z } from 'zod';
import { changeMembership } from '../../commands/quota/change-membership.js';
import { addToGroup, setGroups } from '../../commands/quota/membership-commands.js';
import { invalid } from '../../domain/errors.js';
import type { GroupReference, QuotaMembershipCommand } from '../../domain/quota/quota-membership.js';
import { findQuotaGroupReferences, listQuotaGroupMembers } from '../../queries/quota/quota-groups.js';
import { siteAdministrator } from '../access.js';
import { presentUsers } from '../accounts/presenter.js';
import { User } from '../accounts/schema.js';
import type { Actions } from '../actions.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { quotaGroupNamed, quotaGroupReference } from './groups.js';
import { momentOf } from '../moment.js';
import { wholeReply } from '../answers/paging.js';
import { AsOfQuery, SetUserQuotaGroupsBody } from './schema.js';

type Request = Actions & { readonly params: { readonly quotagroup: string; readonly username: string } };

/** Changes whether the account of the path is in the group of the path. */
async function change(
  { db, params, find, services, context, wrote }: Request,
  commandFor: (group: GroupReference) => QuotaMembershipCommand | (() => Promise<QuotaMembershipCommand>),
): Promise<void> {
  const [group, accountId] = await Promise.all([
    quotaGroupReference(db, params.quotagroup),
    find.accountId(params.username),
  ]);
  await wrote(await changeMembership(services.commands, accountId, commandFor(group), context));
}

export const quotaMemberRoutes = [
  route({
    id: 'adminListUsersInQuotaGroup',
    method: 'GET',
    path: '/admin/quota/groups/{quotagroup}/users',
    access: siteAdministrator,
    scope: 'admin',
    exists: ({ db, params }) => quotaGroupReference(db, params.quotagroup),
    query: AsOfQuery,
    answers: { 200: z.array(User), 400: problem, 403: problem, 404: problem, 422: problem },
    async handle({ db, params, query, services, caller }) {
      const at = await momentOf(query.as_of, services);
      const group = await quotaGroupNamed(db, params.quotagroup, at);
      const members = await listQuotaGroupMembers(db, group.id, at);
      return wholeReply(await presentUsers(members, caller, services));
    },
  }),

  route({
    id: 'adminAddUserToQuotaGroup',
    method: 'PUT',
    path: '/admin/quota/groups/{quotagroup}/users/{username}',
    access: siteAdministrator,
    scope: 'admin',
    answers: { 204: nothing, 400: problem, 403: problem, 404: problem, 409: problem, 422: problem },
    handle: (request) =>
      change(request, (group) => () => addToGroup(request.services.commands, group, request.now())),
  }),

  route({
    id: 'adminRemoveUserFromQuotaGroup',
    method: 'DELETE',
    path: '/admin/quota/groups/{quotagroup}/users/{username}',
    access: siteAdministrator,
    scope: 'admin',
    answers: { 204: nothing, 400: problem, 403: problem, 404: problem },
    handle: (request) =>
      change(request, (group) => ({ type: 'RemoveFromQuotaGroup', data: { group, at: request.now() } })),
  }),

  route({
    id: 'adminSetUserQuotaGroups',
    method: 'POST',
    path: '/admin/users/{username}/quota/groups',
    access: siteAdministrator,
    scope: 'admin',
    parent: ({ find, params }) => find.account(params.username),
    body: SetUserQuotaGroupsBody,
    answers: { 204: nothing, 400: problem, 403: problem, 404: problem, 422: problem },
    async handle({ db, parent: account, body, services, context, wrote, now }) {
      const names = [...new Set(body.groups)];
      const command = async () => {
        const groups = await findQuotaGroupReferences(db, names);
        const unknown = names.find((name) => !groups.some((group) => group.name === name));
        if (unknown !== undefined) {
          throw invalid(
            'quota_group.absent',
            'Groups',
            `quota group ${JSON.stringify(unknown)} does not exist`,
          );
        }
        return setGroups(services.commands, groups, now());
      };
      await wrote(await changeMembership(services.commands, account.id, command, context));
    },
  }),
];
