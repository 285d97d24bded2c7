import { covers, usedUnder, type QuotaSubject, type Usage } from './subjects.js';

/** The limit that stands for no limit. */
export const UNLIMITED = -1n;

// Types, not interfaces: they travel in commands, as JSON.
/** A limit on the bytes that are counted under its subjects, taken together. */
export type QuotaRule = {
  readonly name: string;
  /** Bytes; -1 means no limit. */
  readonly limit: bigint;
  readonly subjects: readonly QuotaSubject[];
};

/** Rules that an account gets together: all of those that cover a request must pass. */
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

/** Whether it is allowed, and if not, the refusal of each group that covers it, in the order of the groups. */
export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly refusals: readonly [Refusal, ...Refusal[]] };

/** What one rule says of a request. */
interface RuleFinding<Rule extends QuotaRule = QuotaRule> {
  readonly rule: Rule;
  /** Whether the rule is about what is asked for at all. */
  readonly covers: boolean;
  /** Bytes under the subjects of the rule. */
  readonly used: bigint;
  /** Undefined where the rule does not cover it. */
  readonly passes: boolean | undefined;
}

/** What one group says of a request: undefined where none of its rules covers it, else whether all that do pass. */
export interface GroupFinding<Group extends QuotaGroup = QuotaGroup> {
  readonly group: Group;
  readonly rules: readonly RuleFinding<Group['rules'][number]>[];
  readonly passes: boolean | undefined;
}

/**
 * What each group and each rule says of `incoming` bytes that an account is to add under `subject`. With `incoming`
 * undefined the size is not known yet: there must be room left (used < limit), so a limit of 0 always refuses; a known
 * size may fill the limit exactly (used + incoming <= limit).
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
 * What comes of the findings: a group allows when all its rules that cover the subject do, and one group that allows is
 * enough; where no group covers it, everything is allowed.
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
 * Whether an account whose groups are `groups` may add `incoming` bytes under `subject`: the one rule behind `check`,
 * every enforcement, `explain` and the rehearsal.
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

/** What applies to an account: its own groups, else the default groups, else the default total over everything. */
export function applicableGroups<Group extends QuotaGroup>(
  own: readonly Group[],
  defaults: { readonly groups: readonly Group[]; readonly total: bigint },
): readonly Group[] | readonly [QuotaGroup] {
  if (own.length > 0) return own;
  if (defaults.groups.length > 0) return defaults.groups;
  return [builtIn(defaults.total)];
}

/** The group of accounts to which no other applies: a limit on everything. */
export const builtIn = (total: bigint): QuotaGroup => ({
  name: 'default',
  rules: [{ name: 'default', limit: total, subjects: ['size:all'] }],
});
