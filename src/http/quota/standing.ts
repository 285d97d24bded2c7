import { z } from 'zod';
import type { Queryable } from '../../database/queryable.js';
import { applicableGroups, evaluate } from '../../domain/quota/evaluation.js';
import { plus, type QuotaSubject } from '../../domain/quota/subjects.js';
import type { Moment } from '../../queries/moment.js';
import { findQuotaStanding } from '../../queries/quota/quota-standing.js';
import { signedIn, siteAdministrator } from '../access.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { momentOf } from '../moment.js';
import { presentQuotaInfo } from './presenter.js';
import { AsOfQuery, CheckQuery, QuotaInfo } from './schema.js';

/** Tells whether the account may add something of unknown size under the subject; enforcement uses the same function. */
export async function withinQuota(
  db: Queryable,
  accountId: number,
  subject: QuotaSubject,
  at: Moment,
): Promise<boolean> {
  const { own, defaults, usage, reserved } = await findQuotaStanding(db, accountId, at);
  return evaluate(applicableGroups(own, defaults), plus(usage, reserved), subject).allowed;
}

export const quotaStandingRoutes = [
  route({
    id: 'adminGetUserQuota',
    method: 'GET',
    path: '/admin/users/{username}/quota',
    access: siteAdministrator,
    scope: 'admin',
    exists: ({ find, params }) => find.accountId(params.username),
    query: AsOfQuery,
    answers: { 200: QuotaInfo, 403: problem, 404: problem, 422: problem },
    async handle({ db, params, query, find, services }) {
      const at = await momentOf(query.as_of, services);
      const account = await find.account(params.username, at);
      return presentQuotaInfo(await findQuotaStanding(db, account.id, at), 'with names');
    },
  }),

  route({
    id: 'userGetQuota',
    method: 'GET',
    path: '/user/quota',
    access: signedIn,
    scope: 'user',
    query: AsOfQuery,
    answers: { 200: QuotaInfo, 401: problem, 403: problem, 422: problem },
    async handle({ db, caller, query, services }) {
      const at = await momentOf(query.as_of, services);
      return presentQuotaInfo(await findQuotaStanding(db, caller.accountId, at), 'without names');
    },
  }),

  route({
    id: 'userCheckQuota',
    method: 'GET',
    path: '/user/quota/check',
    access: signedIn,
    scope: 'user',
    query: CheckQuery,
    answers: { 200: z.boolean(), 401: problem, 403: problem, 422: problem },
    async handle({ db, caller, query, services }) {
      return withinQuota(db, caller.accountId, query.subject, await momentOf(query.as_of, services));
    },
  }),
];
