import { z } from 'zod';
import { countAccountHistory, listAccountHistory } from '../../queries/accounts/account-history.js';
import { findAccountIdEverNamed } from '../../queries/accounts/accounts.js';
import { NOW } from '../../queries/moment.js';
import { siteAdministrator } from '../access.js';
import { json } from '../answer.js';
import { pageReply } from '../paging.js';
import { momentOf } from '../quota/moment.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { AccountChange, AccountHistoryQuery } from './schema.js';

/** An id that no account has. */
const NOBODY = 0;

export const listHistory = route({
  id: 'adminListHistory',
  method: 'GET',
  path: '/admin/history',
  access: siteAdministrator,
  scope: 'admin',
  query: AccountHistoryQuery,
  answers: { 200: z.array(AccountChange), 403: problem, 422: problem },
  async handle({ db, query, services, page, url }) {
    const idOf = async (name: string | undefined) =>
      name === undefined ? null : ((await findAccountIdEverNamed(db, name)) ?? NOBODY);
    const asked = await momentOf(query.as_of, services);
    const at = asked === NOW ? await services.log.lastPosition() : asked;
    const [subjectId, actorId] = await Promise.all([idOf(query.subject), idOf(query.actor)]);
    const filter = { subjectId, actorId, since: query.since ?? null, until: query.until ?? null, at };
    const part = page(query);
    const [rows, total] = await Promise.all([
      listAccountHistory(db, filter, part),
      countAccountHistory(db, filter),
    ]);
    // The links name the moment of this listing, so that changes made meanwhile do not shift its pages.
    const pinned = new URL(url);
    pinned.searchParams.set('as_of', at.toString());
    return pageReply(json(rows), total, part, pinned.href);
  },
});
