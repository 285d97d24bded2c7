import { builtIn, UNLIMITED } from './evaluation.js';
import type { QuotaSubject } from './subjects.js';

/** Positions in the log: from one event until another. */
export interface Span {
  readonly from: bigint;
  readonly until: bigint;
}

/** A group while an account was in it, or while it could be named by the defaults. */
interface GroupSpan extends Span {
  readonly id: number;
  readonly name: string;
}

/** A rule while it was in a group and said the same. */
interface RuleSpan extends Span {
  readonly groupId: number;
  readonly name: string;
  readonly limit: bigint;
  readonly subjects: readonly QuotaSubject[];
}

/** What was configured for accounts in no group. */
interface DefaultsSpan extends Span {
  readonly groups: readonly string[];
  readonly total: bigint;
}

/** A limit while it applied to an account. */
export interface LimitSpan extends Span {
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
  readonly subjects: readonly QuotaSubject[];
}

/** All that ever limited one account, from the tables with history; a span that goes on ends at the greatest int8. */
export interface LimitHistory {
  /** Where the account begins: what was over by then never limited it. */
  readonly created: bigint;
  /** The groups that the account was in. */
  readonly own: readonly GroupSpan[];
  readonly defaults: readonly DefaultsSpan[];
  /** Those that the defaults name, as long as they existed. */
  readonly defaultGroups: readonly GroupSpan[];
  readonly rules: readonly RuleSpan[];
}

/** Which limits applied to an account when: `applicableGroups` over time. What was unlimited is left out. */
export function limitsOverTime({
  created,
  own,
  defaults,
  defaultGroups,
  rules,
}: LimitHistory): readonly LimitSpan[] {
  const byDefault = defaults.flatMap((configured) =>
    defaultGroups
      .filter(({ name }) => configured.groups.includes(name))
      .flatMap((group) => intersection(group, configured).map((span) => ({ ...group, ...span }))),
  );
  const ofGroup = (group: GroupSpan, spans: readonly Span[]): LimitSpan[] =>
    rules
      .filter(({ groupId }) => groupId === group.id)
      .flatMap((rule) =>
        spans.flatMap((span) => intersection(rule, span)).map((span) => limitOf(group.name, rule, span)),
      );
  const builtInLimits = defaults.flatMap((configured) => {
    const { name, rules } = builtIn(configured.total);
    const spans = without(configured, [...own, ...byDefault]);
    return rules.flatMap((rule) => spans.map((span) => limitOf(name, rule, span)));
  });
  return [
    ...own.flatMap((group) => ofGroup(group, [group])),
    ...byDefault.flatMap((group) => ofGroup(group, without(group, own))),
    ...builtInLimits,
  ]
    .filter(({ limit, until }) => limit !== UNLIMITED && until > created)
    .sort((left, right) => Number(left.from > right.from) - Number(left.from < right.from));
}

const limitOf = (
  group: string,
  { name: rule, limit, subjects }: Pick<RuleSpan, 'name' | 'limit' | 'subjects'>,
  { from, until }: Span,
): LimitSpan => ({ group, rule, limit, subjects, from, until });

function intersection(one: Span, other: Span): readonly Span[] {
  const from = one.from > other.from ? one.from : other.from;
  const until = one.until < other.until ? one.until : other.until;
  return from < until ? [{ from, until }] : [];
}

/** What is left of a span outside of all these. */
const without = (span: Span, holes: readonly Span[]): readonly Span[] =>
  holes.reduce<readonly Span[]>(
    (left, hole) =>
      left.flatMap(({ from, until }) => [
        ...intersection({ from, until }, { from, until: hole.from }),
        ...intersection({ from, until }, { from: hole.until, until }),
      ]),
    [{ from: span.from, until: span.until }],
  );
