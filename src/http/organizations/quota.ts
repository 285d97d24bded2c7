import { z } from 'zod';
import { findQuotaStanding } from '../../queries/quota/quota-standing.js';
import { momentOf } from '../moment.js';
import { presentQuotaInfo } from '../quota/presenter.js';
import { AsOfQuery, CheckQuery, QuotaInfo } from '../quota/schema.js';
import { withinQuota } from '../quota/standing.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { organizationOwner } from './access.js';
import { organizationAt } from './place.js';

export const organizationQuotaRoutes = [
  route({
    id: 'orgGetQuota',
    method: 'GET',
    path: '/orgs/{org}/quota',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    query: AsOfQuery,
    answers: { 200: QuotaInfo, 401: problem, 403: problem, 404: problem, 422: problem },
    async handle({ parent, query, db, services }) {
      const at = await momentOf(query.as_of, services);
      return presentQuotaInfo(await findQuotaStanding(db, parent.id, at), 'without names');
    },
  }),

  route({
    id: 'orgCheckQuota',
    method: 'GET',
    path: '/orgs/{org}/quota/check',
    access: organizationOwner,
    scope: 'organization',
    parent: organizationAt,
    query: CheckQuery,
    answers: { 200: z.boolean(), 401: problem, 403: problem, 404: problem, 422: problem },
    handle: async ({ parent, query, db, services }) =>
      withinQuota(db, parent.id, query.subject, await momentOf(query.as_of, services)),
  }),
];
