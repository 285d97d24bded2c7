import { z } from 'zod';
import { applicableGroups } from '../../domain/quota/evaluation.js';
import { growthPerDay, limitsReached } from '../../domain/quota/growth.js';
import { invalid } from '../../domain/errors.js';
import { countQuotaConsumers, listQuotaConsumers } from '../../queries/quota/quota-consumers.js';
import { findQuotaStanding } from '../../queries/quota/quota-standing.js';
import { findUsageBefore } from '../../queries/quota/quota-usage-hours.js';
import { siteAdministrator } from '../access.js';
import { pageReply } from '../paging.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { ConsumersQuery, QuotaConsumer, QuotaUsage, UsageQuery } from './schema.js';
import { changeOf, HOUR_MS, presentReached, usageSeries, type UsagePeriod } from './usage-series.js';

const MAX_POINTS = 1_000;
const DEFAULT_HOURS = 30 * 24;

/** Returns the requested period, in full hours and until now at the latest. */
function periodOf({ since, until, step }: z.output<typeof UsageQuery>, now: number): UsagePeriod {
  const asked = until?.getTime() ?? now;
  const end = Math.min(Math.ceil(asked / HOUR_MS) * HOUR_MS, now);
  const sinceHour = Math.floor((since?.getTime() ?? end - DEFAULT_HOURS * HOUR_MS) / HOUR_MS);
  const hours = end / HOUR_MS - sinceHour;
  if (hours <= 0) throw invalid('quota_usage.period', 'Since', 'must be before until, and before now');
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
    parent: ({ find, params }) => find.account(params.username),
    query: UsageQuery,
    answers: { 200: QuotaUsage, 403: problem, 404: problem, 422: problem },
    async handle({ db, parent: { id, name }, query }) {
      const period = periodOf(query, Date.now());
      return {
        user: { id, name },
        since: new Date(period.sinceHour * HOUR_MS).toISOString(),
        until: period.until.toISOString(),
        step: query.step.text,
        series: await usageSeries(db, id, period),
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
    async handle({ db, query: { subject, since, ...query }, page, url }) {
      const now = new Date();
      const sinceHour = since ? Math.floor(since.getTime() / HOUR_MS) : periodStart(now);
      const part = page(query);
      const [rows, total] = await Promise.all([
        listQuotaConsumers(db, subject, part),
        countQuotaConsumers(db, subject),
      ]);
      const before = await findUsageBefore(
        db,
        rows.map((row) => row.account_id),
        sinceHour,
      );
      const consumers = rows.map(async ({ account_id: id, name, used }) => {
        const { own, defaults, usage } = await findQuotaStanding(db, id);
        const change = changeOf(before.get(id), usage, { sinceHour, until: now });
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

const periodStart = (now: Date) => Math.floor(now.getTime() / HOUR_MS) - DEFAULT_HOURS;
