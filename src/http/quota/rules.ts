import { z } from 'zod';
import { deleteFromCatalogue } from '../../commands/quota/delete-from-catalogue.js';
import { notFound } from '../../domain/errors.js';
import {
  QUOTA_CATALOGUE,
  QuotaCatalogue,
  type QuotaCatalogueEvent,
} from '../../domain/quota/quota-catalogue.js';
import { findQuotaRule, listQuotaRules } from '../../queries/quota/quota-rules.js';
import type { Queryable } from '../../database/queryable.js';
import type { Moment } from '../../queries/moment.js';
import { siteAdministrator } from '../access.js';
import { json } from '../answers/answer.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { momentOf } from '../moment.js';
import { AsOfQuery, CreateQuotaRuleBody, EditQuotaRuleBody, QuotaRuleInfo } from './schema.js';

async function ruleNamed(db: Queryable, name: string, at?: Moment) {
  const rule = await findQuotaRule(db, name, at);
  if (rule === undefined) throw notFound('quota_rule.absent', 'no such quota rule');
  return json(rule);
}

/** Returns the rule that one of these events created or edited. */
const ruleIn = (events: readonly QuotaCatalogueEvent[]) =>
  events
    .filter((event) => event.type === 'QuotaRuleCreated' || event.type === 'QuotaRuleEdited')
    .map(({ data: { name, limit, subjects } }) => ({ name, limit: BigInt(limit), subjects }))
    .at(0);

export const quotaRuleRoutes = [
  route({
    id: 'adminListQuotaRules',
    method: 'GET',
    path: '/admin/quota/rules',
    access: siteAdministrator,
    scope: 'admin',
    query: AsOfQuery,
    answers: { 200: z.array(QuotaRuleInfo), 403: problem, 422: problem },
    handle: async ({ db, query, services }) =>
      json(await listQuotaRules(db, await momentOf(query.as_of, services))),
  }),

  route({
    id: 'adminCreateQuotaRule',
    method: 'POST',
    path: '/admin/quota/rules',
    access: siteAdministrator,
    scope: 'admin',
    body: CreateQuotaRuleBody,
    answers: { 201: QuotaRuleInfo, 400: problem, 403: problem, 409: problem, 422: problem },
    async handle({ body: { name, limit, subjects }, services, handle, now }) {
      const id = await services.ids.next('quotaRule');
      const { events } = await handle(QuotaCatalogue, QUOTA_CATALOGUE, {
        type: 'CreateQuotaRule',
        data: { id, name, limit: limit.toString(), subjects, at: now() },
      });
      return ruleIn(events);
    },
  }),

  route({
    id: 'adminGetQuotaRule',
    method: 'GET',
    path: '/admin/quota/rules/{quotarule}',
    access: siteAdministrator,
    scope: 'admin',
    exists: ({ db, params }) => ruleNamed(db, params.quotarule),
    query: AsOfQuery,
    answers: { 200: QuotaRuleInfo, 400: problem, 403: problem, 404: problem, 422: problem },
    handle: async ({ db, params, query, services }) =>
      ruleNamed(db, params.quotarule, await momentOf(query.as_of, services)),
  }),

  route({
    id: 'adminEditQuotaRule',
    method: 'PATCH',
    path: '/admin/quota/rules/{quotarule}',
    access: siteAdministrator,
    scope: 'admin',
    parent: ({ db, params }) => ruleNamed(db, params.quotarule),
    body: EditQuotaRuleBody,
    answers: { 200: QuotaRuleInfo, 400: problem, 403: problem, 404: problem, 422: problem },
    async handle({ db, params: { quotarule: name }, body: { limit, subjects }, handle, now }) {
      const { events } = await handle(QuotaCatalogue, QUOTA_CATALOGUE, {
        type: 'EditQuotaRule',
        data: {
          name,
          ...(limit !== undefined && { limit: limit.toString() }),
          ...(subjects && { subjects }),
          at: now(),
        },
      });
      return ruleIn(events) ?? ruleNamed(db, name);
    },
  }),

  route({
    id: 'adminDEleteQuotaRule',
    method: 'DELETE',
    path: '/admin/quota/rules/{quotarule}',
    access: siteAdministrator,
    scope: 'admin',
    answers: { 204: nothing, 400: problem, 403: problem, 404: problem },
    async handle({ params, services, context, wrote }) {
      await wrote(await deleteFromCatalogue(services.commands, 'QuotaRule', params.quotarule, context));
    },
  }),
];
