import { z } from 'zod';
import { listQuotaHistory } from '../../queries/quota/quota-history.js';
import { siteAdministrator } from '../access.js';
import { historyPage } from '../history.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { accountTimeFilter } from './account-time.js';
import { HistoryQuery, QuotaChange } from './insights-schema.js';

export const quotaHistoryRoutes = [
  route({
    id: 'adminListQuotaHistory',
    method: 'GET',
    path: '/admin/quota/history',
    access: siteAdministrator,
    scope: 'admin',
    query: HistoryQuery,
    answers: { 200: z.array(QuotaChange), 403: problem, 422: problem },
    async handle(request) {
      const { db, query } = request;
      const { group = null, rule = null } = query;
      const filter = { ...(await accountTimeFilter(db, query)), group, rule };
      return historyPage(request, query, 'quota-history', (at, part) =>
        listQuotaHistory(db, { ...filter, at }, part),
      );
    },
  }),
];
