import { Map } from 'immutable';
import type { Message } from '../decider.js';
import type { Digits } from './digits.js';
import { UNLIMITED, type QuotaGroup } from './evaluation.js';
import { usedUnder, type QuotaSubject, type Usage } from './subjects.js';

/** The percentages of a limit that are recorded when the usage reaches them. */
const THRESHOLDS = [80, 90, 100] as const;
/** A percentage of a limit. */
export type Threshold = (typeof THRESHOLDS)[number];

// Stored for good: fields may be added, never renamed or removed.
/** An account reached a threshold of a rule, or left it. Recorded in the ledger's stream, behind the cause. */
export type ThresholdEvent =
  | Message<
      'QuotaThresholdReached',
      {
        group: string;
        rule: string;
        subjects: readonly QuotaSubject[];
        limit: Digits;
        used: Digits;
        percent: Threshold;
        reachedAt: string;
      }
    >
  /** `percent` is the threshold still reached, 0 for none. Higher ones are recorded again when they are reached. */
  | Message<'QuotaThresholdLeft', { group: string; rule: string; percent: 0 | Threshold; leftAt: string }>;

/** The highest threshold that is reached, by group and rule; absent if none is. */
export type Levels = Map<string, Threshold>;

export const noLevels: Levels = Map();

/** Applies one event to the levels. */
export function evolveLevels(levels: Levels, { data }: ThresholdEvent): Levels {
  const { group, rule, percent } = data;
  const key = keyOf(group, rule);
  return percent === 0 ? levels.delete(key) : levels.set(key, percent);
}

/**
 * Returns the events for an account with these groups whose usage changes: each threshold once when it is reached, and
 * again only after it was left. A rule that no longer applies leaves all of its thresholds, and one whose limit was raised
 * those that the usage of before no longer reaches. What is beyond `MOST_CROSSINGS` follows with the next change.
 */
export function crossings(
  levels: Levels,
  groups: readonly QuotaGroup[],
  usage: { readonly before: Usage; readonly after: Usage },
  at: string,
): readonly ThresholdEvent[] {
  const applying = groups.flatMap(({ name: group, rules }) =>
    rules.map(({ name: rule, limit, subjects }) => ({ group, rule, limit, subjects })),
  );
  const keys = new Set(applying.map(({ group, rule }) => keyOf(group, rule)));
  const all = [
    ...[...levels.keys()].filter((key) => !keys.has(key)).map((key) => left(key, 0, at)),
    ...applying.flatMap(({ group, rule, limit, subjects }): ThresholdEvent[] => {
      const key = keyOf(group, rule);
      const used = usedUnder(subjects, usage.after);
      const now = levelOf(used, limit);
      const recorded = levels.get(key) ?? 0;
      const before = levelOf(usedUnder(subjects, usage.before), limit);
      const kept = Math.min(recorded, before, now) as 0 | Threshold;
      const facts = { group, rule, subjects, limit: limit.toString(), used: used.toString() };
      return [
        ...(kept < recorded ? [left(key, kept, at)] : []),
        ...THRESHOLDS.filter((percent) => kept < percent && percent <= now).map((percent) => ({
          type: 'QuotaThresholdReached' as const,
          data: { ...facts, percent, reachedAt: at },
        })),
      ];
    }),
  ];
  return all.slice(0, MOST_CROSSINGS);
}

/** How many events fit into one append beside their cause, however long the names in them are. */
const MOST_CROSSINGS = 250;

/** Returns the highest threshold that is reached. A limit of 0 is reached by the first byte. */
function levelOf(used: bigint, limit: bigint): 0 | Threshold {
  if (limit === UNLIMITED || used === 0n) return 0;
  return THRESHOLDS.findLast((percent) => used * 100n >= limit * BigInt(percent)) ?? 0;
}

// Unambiguous, because names contain no control characters.
const keyOf = (group: string, rule: string) => `${group}\n${rule}`;

function left(key: string, percent: 0 | Threshold, leftAt: string): ThresholdEvent {
  const [group = '', rule = ''] = key.split('\n');
  return { type: 'QuotaThresholdLeft', data: { group, rule, percent, leftAt } };
}
