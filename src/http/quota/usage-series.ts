import type { Queryable } from '../../database/queryable.js';
import { STILL } from '../../database/still.js';
import { applicableGroups } from '../../domain/quota/evaluation.js';
import {
  growthPerDay,
  limitsReached,
  type LimitReached,
  type UsageChange,
} from '../../domain/quota/growth.js';
import { limitsOverTime, type LimitSpan } from '../../domain/quota/limits-over-time.js';
import {
  bySubjects,
  setKey,
  usageSubjects,
  usedUnder,
  type QuotaSubject,
  type Usage,
} from '../../domain/quota/subjects.js';
import type { Moment } from '../../queries/moment.js';
import { findQuotaChanges } from '../../queries/quota/quota-changes.js';
import { findLimitHistory } from '../../queries/quota/quota-limit-history.js';
import { findQuotaStanding } from '../../queries/quota/quota-standing.js';
import {
  findUsageBefore,
  listUsageSteps,
  type UsageBefore,
  type UsageStepRow,
} from '../../queries/quota/quota-usage-hours.js';

export const HOUR_MS = 3_600_000;

/** A period from a full hour to another one or to the moment of the answer, with a point at each step. */
export interface UsagePeriod {
  readonly sinceHour: number;
  readonly until: Date;
  readonly stepHours: number;
}

interface Point {
  readonly at: Date;
  readonly usage: Usage;
}

/**
 * Returns the usage of an account over time, as it was known at a moment, in a series for each relevant set of subjects:
 * everything, each subject ever used, and the subjects of each of its rules, with the limits and when they will be
 * reached.
 */
export async function usageSeries(db: Queryable, accountId: number, period: UsagePeriod, moment: Moment) {
  const { sinceHour, until, stepHours } = period;
  const hours = until.getTime() / HOUR_MS;
  const [full, before, { own, defaults, usage }, history] = await Promise.all([
    listUsageSteps(db, accountId, { since: sinceHour, until: Math.floor(hours), step: stepHours }),
    findUsageBefore(db, [accountId], sinceHour),
    findQuotaStanding(db, accountId, moment),
    findLimitHistory(db, accountId),
  ]);
  // Of the hour of the moment, the table has the end, which may be later.
  const steps = Number.isInteger(hours) ? full : [...full, ...stepsTo(usage, period)];
  const points = pointsOf(period, steps);
  const limits = await limitsIn(db, knownAt(moment, limitsOverTime(history)), period);
  const change = changeOf(before.get(accountId), points.at(-1)?.usage ?? {}, period);
  const reached = limitsReached(applicableGroups(own, defaults), change);

  const sets = distinctSets([
    ['size:all'],
    ...usageSubjects.filter((leaf) => steps.some(({ subject }) => subject === leaf)).map((leaf) => [leaf]),
    ...limits.map(({ subjects }) => subjects),
    ...reached.map(({ subjects }) => subjects),
  ]);
  const [limitsOf, reachedOf] = [bySubjects(limits), bySubjects(reached)];
  return sets.map((subjects) => ({
    subjects,
    points: points.map(({ at, usage }) => ({ at: at.toISOString(), used: usedUnder(subjects, usage) })),
    growth_per_day: growthPerDay(subjects, change),
    limits: limitsOf(subjects).map(({ group, rule, limit, from, until }) => ({
      group,
      rule,
      limit,
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
    })),
    reached: reachedOf(subjects).map(presentReached),
  }));
}

/** Presents when a limit is reached at the present rate; `at` is null if that is never, or too far off. */
export const presentReached = ({ group, rule, limit, at }: LimitReached) => ({
  group,
  rule,
  limit,
  at: at?.toISOString() ?? null,
});

/** Returns the change of usage in a period. An account without usage before it starts at the period's first hour. */
export const changeOf = (
  before: UsageBefore | undefined,
  now: Usage,
  { sinceHour, until }: Pick<UsagePeriod, 'sinceHour' | 'until'>,
): UsageChange => ({
  before: before?.usage ?? {},
  beforeAt: new Date((before?.hour ?? sinceHour) * HOUR_MS),
  now,
  nowAt: until,
});

function pointsOf(
  { sinceHour, until, stepHours }: UsagePeriod,
  steps: readonly UsageStepRow[],
): readonly Point[] {
  const points: Point[] = [];
  let usage: Usage = {};
  let next = 0;
  for (let step = 0; ; step += 1) {
    for (let row = steps[next]; row && row.step < step; row = steps[(next += 1)])
      usage = { ...usage, [row.subject]: BigInt(row.bytes) };
    const at = (sinceHour + step * stepHours) * HOUR_MS;
    points.push({ at: new Date(Math.min(at, until.getTime())), usage });
    if (at >= until.getTime()) return points;
  }
}

/** Returns what is stored at the end of a period as what changed in its last step. */
const stepsTo = (usage: Usage, { sinceHour, until, stepHours }: UsagePeriod): readonly UsageStepRow[] =>
  usageSubjects.flatMap((subject) => {
    const bytes = usage[subject];
    const step = Math.floor((until.getTime() / HOUR_MS - sinceHour) / stepHours);
    return bytes === undefined ? [] : [{ subject, step, bytes }];
  });

/** Returns what of these spans was known at a moment: those that ended later had no end yet. */
const knownAt = (moment: Moment, spans: readonly LimitSpan[]): readonly LimitSpan[] =>
  spans
    .filter(({ from }) => from <= moment)
    .map((span) => (span.until > moment ? { ...span, until: STILL } : span));

/** Finds when each limit of a period began and ended to apply; `until` is null while it still applies. */
async function limitsIn(
  db: Queryable,
  spans: readonly LimitSpan[],
  { sinceHour, until }: Pick<UsagePeriod, 'sinceHour' | 'until'>,
) {
  const ends = spans.flatMap((span) => [span.from, span.until]).filter((position) => position < STILL);
  const changes = await findQuotaChanges(db, [...new Set(ends)]);
  return spans
    .map((span) => ({
      ...span,
      from: changes.get(span.from)?.recorded_at ?? new Date(0),
      until: changes.get(span.until)?.recorded_at ?? null,
    }))
    .filter(
      ({ from, until: end }) => from <= until && (end === null || end.getTime() >= sinceHour * HOUR_MS),
    );
}

const distinctSets = (sets: readonly (readonly QuotaSubject[])[]): readonly (readonly QuotaSubject[])[] => [
  ...new Map(sets.filter((set) => set.length > 0).map((set) => [setKey(set), set])).values(),
];
