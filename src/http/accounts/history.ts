import { z } from 'zod';
import { listAccountHistory } from '../../queries/accounts/account-history.js';
import { siteAdministrator } from '../access.js';
import { accountIdFor, historyPage } from '../history.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { AccountChange, AccountHistoryQuery } from './schema.js';

export const listHistory = route({
  id: 'adminListHistory',
  method: 'GET',
  path: '/admin/history',
  access: siteAdministrator,
  scope: 'admin',
  query: AccountHistoryQuery,
  answers: { 200: z.array(AccountChange), 403: problem, 422: problem },
  async handle(request) {
    const { db, query } = request;
    const [subjectId, actorId] = await Promise.all([
      accountIdFor(db, query.subject),
      accountIdFor(db, query.actor),
    ]);
    const filter = { subjectId, actorId, since: query.since ?? null, until: query.until ?? null };
    return historyPage(request, query, 'account-history', (at, part) =>
      listAccountHistory(db, { ...filter, at }, part),
    );
  },
});
