import { UNLIMITED, type QuotaGroup } from './evaluation.js';
import { usedUnder, type QuotaSubject, type Usage } from './subjects.js';

const DAY_MS = 86_400_000;
/** A limit that would be reached after more days than this is taken as never reached. */
const NEVER_DAYS = 36_525;

/** What an account stored at two moments. */
export interface UsageChange {
  readonly before: Usage;
  readonly beforeAt: Date;
  readonly now: Usage;
  readonly nowAt: Date;
}

/** Returns the average growth under these subjects between the two moments, in bytes per day; negative if usage shrank. */
export function growthPerDay(
  subjects: readonly QuotaSubject[],
  { before, beforeAt, now, nowAt }: UsageChange,
): number {
  const days = (nowAt.getTime() - beforeAt.getTime()) / DAY_MS;
  if (days <= 0) return 0;
  return Math.round(Number(usedUnder(subjects, now) - usedUnder(subjects, before)) / days);
}

/** When a limit will be reached at the present rate. `at` is null for never. */
export interface LimitReached {
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
  readonly at: Date | null;
}

/**
 * Predicts for each rule with a limit when it will be reached at the present rate; now, if it is reached already. The first
 * byte reaches a limit of 0.
 */
export const limitsReached = (
  groups: readonly QuotaGroup[],
  change: UsageChange,
): readonly (LimitReached & { readonly subjects: readonly QuotaSubject[] })[] =>
  groups.flatMap(({ name: group, rules }) =>
    rules
      .filter(({ limit }) => limit !== UNLIMITED)
      .map(({ name: rule, limit, subjects }) => {
        const used = usedUnder(subjects, change.now);
        const isReached = used > 0n && used >= limit;
        const perDay = growthPerDay(subjects, change);
        const at = isReached ? change.nowAt : momentAfter(change.nowAt, Number(limit - used), perDay);
        return { group, rule, limit, subjects, at };
      }),
  );

function momentAfter(now: Date, left: number, perDay: number): Date | null {
  const days = perDay > 0 ? left / perDay : Infinity;
  return days > NEVER_DAYS ? null : new Date(now.getTime() + days * DAY_MS);
}
