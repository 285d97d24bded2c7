import { z } from 'zod';
import { applicableGroups } from '../../domain/quota/evaluation.js';
import { growthPerDay, limitsReached } from '../../domain/quota/growth.js';
import { invalid } from '../../domain/errors.js';
import { listQuotaConsumers } from '../../queries/quota/quota-consumers.js';
import { findQuotaStanding } from '../../queries/quota/quota-standing.js';
import { findUsageBefore } from '../../queries/quota/quota-usage-hours.js';
import { siteAdministrator } from '../access.js';
import { momentOf, timeOfMoment } from '../moment.js';
import { pageReply } from '../answers/paging.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { ConsumersQuery, QuotaConsumer, QuotaUsage, UsageQuery } from './insights-schema.js';
import { changeOf, HOUR_MS, presentReached, usageSeries, type UsagePeriod } from './usage-series.js';

const MAX_POINTS = 1_000;
const DEFAULT_HOURS = 30 * 24;

/** Returns the requested period, in full hours and until the moment of the answer at the latest. */
function periodOf({ since, until, step }: z.output<typeof UsageQuery>, moment: number): UsagePeriod {
  const asked = until?.getTime() ?? moment;
  const end = Math.min(Math.ceil(asked / HOUR_MS) * HOUR_MS, moment);
  const sinceHour = Math.floor((since?.getTime() ?? end - DEFAULT_HOURS * HOUR_MS) / HOUR_MS);
  const hours = end / HOUR_MS - sinceHour;
  if (hours <= 0) throw invalid('quota_usage.period', 'Since', 'must be before until, as_of and now');
  if (hours / step.hours > MAX_POINTS)
    throw invalid('quota_usage.points', 'Step', `at most ${MAX_POINTS} steps at a time`);
  return { sinceHour, until: new Date(end), stepHours: step.hours };
}

export const quotaUsageRoutes = [
  route({
    id: 'adminGetUserQuotaUsage',
    method: 'GET',
    path: '/admin/users/{username}/quota/usage',
    access: siteAdministrator,
    scope: 'admin',
    exists: ({ find, params }) => find.accountId(params.username),
    query: UsageQuery,
    answers: { 200: QuotaUsage, 403: problem, 404: problem, 422: problem },
    async handle({ db, params, query, find, services }) {
      const at = await momentOf(query.as_of, services);
      const { id, name } = await find.account(params.username, at);
      const period = periodOf(query, (await timeOfMoment(query.as_of, at, services)).getTime());
      return {
        user: { id, name },
        since: new Date(period.sinceHour * HOUR_MS).toISOString(),
        until: period.until.toISOString(),
        step: query.step.text,
        series: await usageSeries(db, id, period, at),
      };
    },
  }),

  route({
    id: 'adminListQuotaConsumers',
    method: 'GET',
    path: '/admin/quota/consumers',
    access: siteAdministrator,
    scope: 'admin',
    query: ConsumersQuery,
    answers: { 200: z.array(QuotaConsumer), 403: problem, 422: problem },
    async handle({ db, query: { subject, since, as_of: asOf, ...query }, page, url, services }) {
      const at = await momentOf(asOf, services);
      const until = await timeOfMoment(asOf, at, services);
      const sinceHour = since ? Math.floor(since.getTime() / HOUR_MS) : periodStart(until);
      const part = page(query);
      const [rows, total] = await listQuotaConsumers(db, subject, at, part);
      const before = await findUsageBefore(
        db,
        rows.map((row) => row.account_id),
        sinceHour,
      );
      const consumers = rows.map(async ({ account_id: id, name, used }) => {
        const { own, defaults, usage } = await findQuotaStanding(db, id, at);
        const change = changeOf(before.get(id), usage, { sinceHour, until });
        return {
          user: { id, name },
          subject,
          used,
          growth_per_day: growthPerDay([subject], change),
          reached: limitsReached(applicableGroups(own, defaults), change).map(presentReached),
        };
      });
      return pageReply(await Promise.all(consumers), total, part, url);
    },
  }),
];

const periodStart = (end: Date) => Math.floor(end.getTime() / HOUR_MS) - DEFAULT_HOURS;
