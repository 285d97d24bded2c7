import { UNLIMITED, type QuotaGroup } from './evaluation.js';
import { usedUnder, type QuotaSubject, type Usage } from './subjects.js';

const DAY_MS = 86_400_000;
/** What is further away than this many days is never. */
const NEVER_DAYS = 36_525;

/** What an account stored at two moments. */
export interface UsageChange {
  readonly before: Usage;
  readonly beforeAt: Date;
  readonly now: Usage;
  readonly nowAt: Date;
}

/** Bytes a day under these subjects, on average between the two moments; less than 0 where it shrank. */
export function growthPerDay(
  subjects: readonly QuotaSubject[],
  { before, beforeAt, now, nowAt }: UsageChange,
): number {
  const days = (nowAt.getTime() - beforeAt.getTime()) / DAY_MS;
  if (days <= 0) return 0;
  return Math.round(Number(usedUnder(subjects, now) - usedUnder(subjects, before)) / days);
}

/** When a limit is reached at the present rate; null for never. */
export interface LimitReached {
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
  readonly at: Date | null;
}

/** For each rule with a limit, the moment at which it is reached if all goes on like this: now, where it is already. */
export const limitsReached = (
  groups: readonly QuotaGroup[],
  change: UsageChange,
): readonly (LimitReached & { readonly subjects: readonly QuotaSubject[] })[] =>
  groups.flatMap(({ name: group, rules }) =>
    rules
      .filter(({ limit }) => limit !== UNLIMITED)
      .map(({ name: rule, limit, subjects }) => {
        const left = Number(limit - usedUnder(subjects, change.now));
        const at = momentAfter(change.nowAt, left, growthPerDay(subjects, change));
        return { group, rule, limit, subjects, at };
      }),
  );

function momentAfter(now: Date, left: number, perDay: number): Date | null {
  if (left <= 0) return now;
  const days = perDay > 0 ? left / perDay : Infinity;
  return days > NEVER_DAYS ? null : new Date(now.getTime() + days * DAY_MS);
}
