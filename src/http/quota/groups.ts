import { z } from 'zod';
import { deleteFromCatalogue } from '../../commands/quota/delete-from-catalogue.js';
import type { Queryable } from '../../database/queryable.js';
import { notFound } from '../../domain/errors.js';
import { quotaGroups } from '../../domain/quota/groups.js';
import { QUOTA_CATALOGUE, QuotaCatalogue } from '../../domain/quota/quota-catalogue.js';
import type { EventLog } from '../../event-log/event-log.js';
import { foldAsOf } from '../../event-log/fold-as-of.js';
import type { Position } from '../../event-store/event-store.js';
import type { Moment } from '../../queries/moment.js';
import {
  findQuotaGroup,
  findQuotaGroupReference,
  listQuotaGroups,
} from '../../queries/quota/quota-groups.js';
import { siteAdministrator } from '../access.js';
import { json } from '../answers/answer.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { momentOf } from '../moment.js';
import { AsOfQuery, CreateQuotaGroupBody, QuotaGroup } from './schema.js';

/** Finds the group of that exact name. Throws 404 if there is none. */
export async function quotaGroupNamed(db: Queryable, name: string, at?: Moment) {
  const group = await findQuotaGroup(db, name, at);
  if (!group) throw groupAbsent();
  return group;
}

/** Finds the id and name of the group of that exact name, for commands. Throws 404 if there is none. */
export async function quotaGroupReference(db: Queryable, name: string) {
  const group = await findQuotaGroupReference(db, name);
  if (!group) throw groupAbsent();
  return group;
}

const groupAbsent = () => notFound('quota_group.absent', 'no such quota group');

/** Reads a group from the log, for when the read model does not show its creation yet. */
async function groupFromLog(log: EventLog, name: string, position: Position) {
  const groups = quotaGroups(await foldAsOf(log, QuotaCatalogue, QUOTA_CATALOGUE, position));
  const group = groups.find((each) => each.name === name);
  return group && { name: group.name, rules: group.rules };
}

export const quotaGroupRoutes = [
  route({
    id: 'adminListQuotaGroups',
    method: 'GET',
    path: '/admin/quota/groups',
    access: siteAdministrator,
    scope: 'admin',
    query: AsOfQuery,
    answers: { 200: z.array(QuotaGroup), 403: problem, 422: problem },
    handle: async ({ db, query, services }) =>
      json(await listQuotaGroups(db, await momentOf(query.as_of, services))),
  }),

  route({
    id: 'adminCreateQuotaGroup',
    method: 'POST',
    path: '/admin/quota/groups',
    access: siteAdministrator,
    scope: 'admin',
    body: CreateQuotaGroupBody,
    answers: { 201: QuotaGroup, 400: problem, 403: problem, 409: problem, 422: problem },
    async handle({ body: { name, rules = [] }, db, services, handle, now }) {
      const id = await services.ids.next('quotaGroup');
      const wanted = [];
      for (const { name: rule, limit = 0n, subjects = [] } of rules) {
        wanted.push({
          id: await services.ids.next('quotaRule'),
          name: rule,
          limit: limit.toString(),
          subjects,
        });
      }
      const { position } = await handle(QuotaCatalogue, QUOTA_CATALOGUE, {
        type: 'CreateQuotaGroup',
        data: { id, name, rules: wanted, at: now() },
      });
      const row = await findQuotaGroup(db, name, position);
      return row ? json(row.json) : groupFromLog(services.log, name, position);
    },
  }),

  route({
    id: 'adminGetQuotaGroup',
    method: 'GET',
    path: '/admin/quota/groups/{quotagroup}',
    access: siteAdministrator,
    scope: 'admin',
    exists: ({ db, params }) => quotaGroupReference(db, params.quotagroup),
    query: AsOfQuery,
    answers: { 200: QuotaGroup, 400: problem, 403: problem, 404: problem, 422: problem },
    async handle({ db, params, query, services }) {
      const at = await momentOf(query.as_of, services);
      return json((await quotaGroupNamed(db, params.quotagroup, at)).json);
    },
  }),

  route({
    id: 'adminDeleteQuotaGroup',
    method: 'DELETE',
    path: '/admin/quota/groups/{quotagroup}',
    access: siteAdministrator,
    scope: 'admin',
    answers: { 204: nothing, 400: problem, 403: problem, 404: problem },
    async handle({ params, services, context, wrote }) {
      await wrote(await deleteFromCatalogue(services.commands, 'QuotaGroup', params.quotagroup, context));
    },
  }),

  route({
    id: 'adminAddRuleToQuotaGroup',
    method: 'PUT',
    path: '/admin/quota/groups/{quotagroup}/rules/{quotarule}',
    access: siteAdministrator,
    scope: 'admin',
    answers: { 204: nothing, 400: problem, 403: problem, 404: problem, 409: problem, 422: problem },
    async handle({ params, handle, now }) {
      const data = { group: params.quotagroup, rule: params.quotarule, at: now() };
      await handle(QuotaCatalogue, QUOTA_CATALOGUE, { type: 'AddRuleToQuotaGroup', data });
    },
  }),

  route({
    id: 'adminRemoveRuleFromQuotaGroup',
    method: 'DELETE',
    path: '/admin/quota/groups/{quotagroup}/rules/{quotarule}',
    access: siteAdministrator,
    scope: 'admin',
    answers: { 204: nothing, 400: problem, 403: problem, 404: problem },
    async handle({ params, handle, now }) {
      const data = { group: params.quotagroup, rule: params.quotarule, at: now() };
      await handle(QuotaCatalogue, QUOTA_CATALOGUE, { type: 'RemoveRuleFromQuotaGroup', data });
    },
  }),
];
