import { z } from 'zod';
import { listQuotaRefusals, type RefusalRow } from '../../queries/quota/quota-refusals.js';
import { siteAdministrator } from '../access.js';
import { momentOf } from '../moment.js';
import { pageReply } from '../answers/paging.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { accountTimeFilter } from './account-time.js';
import { presentReason } from './reason.js';
import { QuotaRefusalCount, AccountTimeQuery } from './insights-schema.js';

export const quotaRefusalRoutes = [
  route({
    id: 'adminListQuotaRefusals',
    method: 'GET',
    path: '/admin/quota/refusals',
    access: siteAdministrator,
    scope: 'admin',
    query: AccountTimeQuery,
    answers: { 200: z.array(QuotaRefusalCount), 403: problem, 422: problem },
    async handle({ db, query, page, url, services }) {
      await services.refusals.flush();
      await services.readYourWrites.wait(await services.log.lastPosition());
      const at = await momentOf(query.as_of, services);
      const filter = { at, ...(await accountTimeFilter(db, query)) };
      const part = page(query);
      const [rows, total] = await listQuotaRefusals(db, filter, part);
      const { baseUrl } = services.config;
      return pageReply(
        rows.map((row) => presentRefusal(row, baseUrl)),
        total,
        part,
        url,
      );
    },
  }),
];

const presentRefusal = (row: RefusalRow, baseUrl: string) => ({
  user: { id: row.account_id, name: row.account_name },
  subject: row.subject,
  minute: row.minute.toISOString(),
  count: row.count,
  actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name },
  last: presentReason(
    {
      group: row.group,
      rule: row.rule,
      subject: row.subject,
      limit: BigInt(row.limit),
      used: BigInt(row.used),
      incoming: row.incoming === null ? null : BigInt(row.incoming),
      position: BigInt(row.decided_position),
    },
    row.account_name,
    baseUrl,
  ),
});
