import { covers, usedUnder, type QuotaSubject, type Usage } from './subjects.js';

/** The limit that stands for no limit. */
export const UNLIMITED = -1n;

// Types, not interfaces: they travel in commands, as JSON.
export type QuotaRule = {
  readonly name: string;
  /** Bytes; -1 means no limit. */
  readonly limit: bigint;
  readonly subjects: readonly QuotaSubject[];
};

export type QuotaGroup = {
  readonly name: string;
  readonly rules: readonly QuotaRule[];
};

/** The rule that refused, and what it saw. */
export interface Refusal {
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
  readonly used: bigint;
}

export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly refusals: readonly [Refusal, ...Refusal[]] };

/**
 * Whether an account whose groups are `groups` may add `incoming` bytes under `subject`. With `incoming` undefined
 * the size is not known yet: there must be room left (used < limit), so a limit of 0 always refuses; a known size
 * may fill the limit exactly (used + incoming <= limit).
 *
 * A group speaks when a rule of it covers the subject, and allows when all such rules do. One group that allows is
 * enough; where no group speaks, everything is allowed. The one function behind `check` and every enforcement.
 */
export function evaluate(
  groups: readonly QuotaGroup[],
  usage: Usage,
  subject: QuotaSubject,
  incoming?: bigint,
): Verdict {
  const refusals: Refusal[] = [];
  for (const group of groups) {
    const covering = group.rules.filter((rule) => rule.subjects.some((listed) => covers(listed, subject)));
    if (covering.length === 0) continue;
    const refusing = covering.find((rule) => !passes(rule, usage, incoming));
    if (!refusing) return { allowed: true };
    const { name: rule, limit } = refusing;
    refusals.push({ group: group.name, rule, limit, used: usedUnder(refusing.subjects, usage) });
  }
  const [first, ...others] = refusals;
  return first ? { allowed: false, refusals: [first, ...others] } : { allowed: true };
}

function passes({ limit, subjects }: QuotaRule, usage: Usage, incoming: bigint | undefined): boolean {
  if (limit === UNLIMITED) return true;
  const used = usedUnder(subjects, usage);
  return incoming === undefined ? used < limit : used + incoming <= limit;
}

/** What applies to an account: its own groups, else the default groups, else the default total over everything. */
export function applicableGroups(
  own: readonly QuotaGroup[],
  defaults: { readonly groups: readonly QuotaGroup[]; readonly total: bigint },
): readonly QuotaGroup[] {
  if (own.length > 0) return own;
  if (defaults.groups.length > 0) return defaults.groups;
  return [{ name: 'default', rules: [{ name: 'default', limit: defaults.total, subjects: ['size:all'] }] }];
}
