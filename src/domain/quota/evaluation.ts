import { covers, usedUnder, type QuotaSubject, type Usage } from './subjects.js';

/** The limit that means no limit. */
export const UNLIMITED = -1n;

// Types, not interfaces: they travel in commands, as JSON.
/** A limit on the sum of the bytes that are counted under its subjects. */
export type QuotaRule = {
  readonly name: string;
  /** Bytes; -1 means no limit. */
  readonly limit: bigint;
  readonly subjects: readonly QuotaSubject[];
};

/** Rules that apply to an account together: those that cover a request must all pass. */
export type QuotaGroup = {
  readonly name: string;
  readonly rules: readonly QuotaRule[];
};

/** The rule that refused, and the numbers that it compared. */
export interface Refusal {
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
  readonly used: bigint;
}

/** Whether a request is allowed. If not, the refusals of the groups that cover it, in the order of the groups. */
export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly refusals: readonly [Refusal, ...Refusal[]] };

/** The result of one rule for a request. */
interface RuleFinding<Rule extends QuotaRule = QuotaRule> {
  readonly rule: Rule;
  /** Whether the rule applies to the request's subject at all. */
  readonly covers: boolean;
  /** The bytes that are used under the rule's subjects. */
  readonly used: bigint;
  /** Undefined if the rule does not cover the request. */
  readonly passes: boolean | undefined;
}

/** A group's result for a request. `passes` is undefined if no rule covers it; else all rules that do must pass. */
export interface GroupFinding<Group extends QuotaGroup = QuotaGroup> {
  readonly group: Group;
  readonly rules: readonly RuleFinding<Group['rules'][number]>[];
  readonly passes: boolean | undefined;
}

/**
 * Returns the result of each group and rule for an account that is about to add `incoming` bytes under `subject`. If
 * `incoming` is undefined, the size is not known yet, and there must be room left (used < limit), so that a limit of 0
 * always refuses. A known size may fill the limit exactly (used + incoming <= limit).
 */
export const findingsOf = <Group extends QuotaGroup>(
  groups: readonly Group[],
  usage: Usage,
  subject: QuotaSubject,
  incoming?: bigint,
): readonly GroupFinding<Group>[] =>
  groups.map((group) => {
    const rules = group.rules.map((rule): RuleFinding<Group['rules'][number]> => {
      const covering = rule.subjects.some((listed) => covers(listed, subject));
      const used = usedUnder(rule.subjects, usage);
      return { rule, covers: covering, used, passes: covering ? passes(rule, used, incoming) : undefined };
    });
    const covering = rules.filter((rule) => rule.covers);
    return {
      group,
      rules,
      passes: covering.length === 0 ? undefined : covering.every((rule) => rule.passes),
    };
  });

/**
 * Combines the findings. A group allows if all of its rules that cover the subject do, and it is enough if one group
 * allows. If no group covers the subject, everything is allowed.
 */
export function verdictOf(findings: readonly GroupFinding[]): Verdict {
  if (findings.some((finding) => finding.passes)) return { allowed: true };
  const refusals = findings.flatMap(({ group, rules }): Refusal[] => {
    const refusing = rules.find((rule) => rule.passes === false);
    if (!refusing) return [];
    const { name: rule, limit } = refusing.rule;
    return [{ group: group.name, rule, limit, used: refusing.used }];
  });
  const [first, ...others] = refusals;
  return first ? { allowed: false, refusals: [first, ...others] } : { allowed: true };
}

/**
 * Decides whether an account with these groups may add `incoming` bytes under `subject`. This is the single rule behind
 * `check`, all enforcement, `explain` and the rehearsal.
 */
export const evaluate = (
  groups: readonly QuotaGroup[],
  usage: Usage,
  subject: QuotaSubject,
  incoming?: bigint,
): Verdict => verdictOf(findingsOf(groups, usage, subject, incoming));

function passes({ limit }: QuotaRule, used: bigint, incoming: bigint | undefined): boolean {
  if (limit === UNLIMITED) return true;
  return incoming === undefined ? used < limit : used + incoming <= limit;
}

/** Returns the groups that apply to an account: its own, else the default groups, else the default limit on everything. */
export function applicableGroups<Group extends QuotaGroup>(
  own: readonly Group[],
  defaults: { readonly groups: readonly Group[]; readonly total: bigint },
): readonly Group[] | readonly [QuotaGroup] {
  if (own.length > 0) return own;
  if (defaults.groups.length > 0) return defaults.groups;
  return [builtIn(defaults.total)];
}

/** Makes the group for accounts to which no other applies: a limit on everything. */
export const builtIn = (total: bigint): QuotaGroup => ({
  name: 'default',
  rules: [{ name: 'default', limit: total, subjects: ['size:all'] }],
});
