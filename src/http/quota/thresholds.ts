import { z } from 'zod';
import { listQuotaThresholds, type ThresholdRow } from '../../queries/quota/quota-thresholds.js';
import { siteAdministrator } from '../access.js';
import { momentOf } from '../moment.js';
import { pageReply } from '../answers/paging.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { accountTimeFilter } from './account-time.js';
import { QuotaThreshold, AccountTimeQuery } from './insights-schema.js';

export const quotaThresholdRoutes = [
  route({
    id: 'adminListQuotaThresholds',
    method: 'GET',
    path: '/admin/quota/thresholds',
    access: siteAdministrator,
    scope: 'admin',
    query: AccountTimeQuery,
    answers: { 200: z.array(QuotaThreshold), 403: problem, 422: problem },
    async handle({ db, query, page, url, services }) {
      const at = await momentOf(query.as_of, services);
      const filter = { at, ...(await accountTimeFilter(db, query)) };
      const part = page(query);
      const [rows, total] = await listQuotaThresholds(db, filter, part);
      return pageReply(rows.map(presentThreshold), total, part, url);
    },
  }),
];

const presentThreshold = (row: ThresholdRow) => ({
  user: { id: row.account_id, name: row.account_name },
  group: row.group,
  rule: row.rule,
  subjects: row.subjects,
  limit: row.limit,
  used: row.used,
  percent: row.percent,
  at: row.reached_at.toISOString(),
  position: row.position,
  event_id: row.event_id,
});
