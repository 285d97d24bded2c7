import { z } from 'zod';
import { findAccountIdEverNamed } from '../../queries/accounts/accounts.js';
import { countQuotaHistory, listQuotaHistory } from '../../queries/quota/quota-history.js';
import { NOW } from '../../queries/moment.js';
import { siteAdministrator } from '../access.js';
import { json } from '../answer.js';
import { pageReply } from '../paging.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { momentOf } from './moment.js';
import { HistoryQuery, QuotaChange } from './schema.js';

/** An id that no account has. */
const NOBODY = 0;

export const quotaHistoryRoutes = [
  route({
    id: 'adminListQuotaHistory',
    method: 'GET',
    path: '/admin/quota/history',
    access: siteAdministrator,
    scope: 'admin',
    query: HistoryQuery,
    answers: { 200: z.array(QuotaChange), 403: problem, 422: problem },
    async handle({ db, query, services, page, url }) {
      const asked = await momentOf(query.as_of, services);
      const at = asked === NOW ? await services.log.lastPosition() : asked;
      const filter = {
        accountId:
          query.user === undefined ? null : ((await findAccountIdEverNamed(db, query.user)) ?? NOBODY),
        group: query.group ?? null,
        rule: query.rule ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        at,
      };
      const [rows, total] = await Promise.all([
        listQuotaHistory(db, filter, page(query)),
        countQuotaHistory(db, filter),
      ]);
      // The links name the moment of this listing, so that changes made meanwhile do not shift its pages.
      const pinned = new URL(url);
      pinned.searchParams.set('as_of', at.toString());
      return pageReply(json(rows), total, page(query), pinned.href);
    },
  }),
];
