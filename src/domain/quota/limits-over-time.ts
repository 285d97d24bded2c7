import { builtIn, UNLIMITED } from './evaluation.js';
import { compareNames } from './names.js';
import type { QuotaSubject } from './subjects.js';

/** Positions in the log, from one event (inclusive) until another (exclusive). */
export interface Span {
  readonly from: bigint;
  readonly until: bigint;
}

/** A group during the time in which an account was in it, or in which the defaults could name it. */
interface GroupSpan extends Span {
  readonly id: number;
  readonly name: string;
}

/** A rule during the time in which it was in a group with the same content. */
interface RuleSpan extends Span {
  readonly groupId: number;
  readonly name: string;
  readonly limit: bigint;
  readonly subjects: readonly QuotaSubject[];
}

/** The defaults that were configured for accounts in no group. */
interface DefaultsSpan extends Span {
  readonly groups: readonly string[];
  readonly total: bigint;
}

/** A limit during the time in which it applied to an account. */
export interface LimitSpan extends Span {
  readonly group: string;
  readonly rule: string;
  readonly limit: bigint;
  readonly subjects: readonly QuotaSubject[];
}

/** Everything that ever limited an account, from the tables with history. An open span ends at the greatest int8. */
export interface LimitHistory {
  /** The position at which the account began to exist; spans that ended before never limited it. */
  readonly created: bigint;
  /** The groups that the account was in. */
  readonly own: readonly GroupSpan[];
  readonly defaults: readonly DefaultsSpan[];
  /** The groups that the defaults name, while they existed. */
  readonly defaultGroups: readonly GroupSpan[];
  readonly rules: readonly RuleSpan[];
}

/** Returns which limits applied to an account when: `applicableGroups` over time. Unlimited rules are left out. */
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
  const limitsIn = (groups: readonly GroupSpan[]): LimitSpan[] => {
    const spansOf = inOrderByGroup(groups);
    return rules.flatMap((rule) =>
      overlapping(spansOf.get(rule.groupId) ?? [], rule).flatMap((group) =>
        intersection(rule, group).map((span) => limitOf(group.name, rule, span)),
      ),
    );
  };
  const builtInLimits = defaults.flatMap((configured) => {
    const { name, rules } = builtIn(configured.total);
    const spans = without(configured, [...own, ...byDefault]);
    return rules.flatMap((rule) => spans.map((span) => limitOf(name, rule, span)));
  });
  return [
    ...limitsIn(own),
    ...limitsIn(byDefault.flatMap((group) => without(group, own).map((span) => ({ ...group, ...span })))),
    ...builtInLimits,
  ]
    .filter(({ limit, until }) => limit !== UNLIMITED && until > created)
    .sort(inOrder);
}

/** Compares limits by their beginning and, as one event may begin several, by their names. */
const inOrder = (left: LimitSpan, right: LimitSpan): number =>
  earlierFirst(left, right) || compareNames(left.group, right.group) || compareNames(left.rule, right.rule);

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

/** Returns the parts of a span that are outside all of the others. */
function without(span: Span, holes: readonly Span[]): readonly Span[] {
  const left: Span[] = [];
  let { from } = span;
  for (const hole of holes.toSorted(earlierFirst)) {
    left.push(...intersection(span, { from, until: hole.from }));
    if (hole.until > from) from = hole.until;
  }
  return [...left, ...intersection(span, { from, until: span.until })];
}

/** Sorts spans, and groups them by group id. They do not overlap, because an account is in a group only once at a time. */
function inOrderByGroup(groups: readonly GroupSpan[]): ReadonlyMap<number, readonly GroupSpan[]> {
  const spansOf = new Map<number, GroupSpan[]>();
  for (const group of groups.toSorted(earlierFirst)) {
    const spans = spansOf.get(group.id);
    if (spans) spans.push(group);
    else spansOf.set(group.id, [group]);
  }
  return spansOf;
}

/**
 * Returns the spans that overlap with a span, from a sorted list without overlaps. Uses binary search, because years
 * leave thousands on both sides.
 */
function overlapping<T extends Span>(spans: readonly T[], { from, until }: Span): readonly T[] {
  const first = firstFor(spans.length, (index) => (spans[index]?.until ?? from) > from);
  const end = firstFor(spans.length, (index) => (spans[index]?.from ?? until) >= until);
  return spans.slice(first, end);
}

/**
 * Returns the first index for which `holds` is true, which must then be true for all later ones; `count` if there is
 * none.
 */
function firstFor(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const earlierFirst = (left: Span, right: Span): number =>
  Number(left.from > right.from) - Number(left.from < right.from);
