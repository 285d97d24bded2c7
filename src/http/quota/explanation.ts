import type { Queryable } from '../../database/queryable.js';
import {
  applicableGroups,
  findingsOf,
  verdictOf,
  type GroupFinding,
  type QuotaGroup,
  type QuotaRule,
} from '../../domain/quota/evaluation.js';
import { plus, type QuotaSubject } from '../../domain/quota/subjects.js';
import type { Moment } from '../../queries/moment.js';
import { findQuotaChanges, type QuotaChangeRow } from '../../queries/quota/quota-changes.js';
import { findQuotaStanding, type QuotaStanding } from '../../queries/quota/quota-standing.js';

/** A rule with the positions of its changes. The built-in group, for accounts that no other group covers, has none. */
interface Rule extends QuotaRule {
  readonly set?: bigint;
  readonly added?: bigint;
}
interface Group extends QuotaGroup {
  readonly created?: bigint;
  readonly joined?: bigint;
  readonly rules: readonly Rule[];
}

/** The request to decide on: a number of bytes under a subject or, if undefined, whether there is any room. */
interface Wanted {
  readonly subject: QuotaSubject;
  readonly bytes: bigint | undefined;
}

/**
 * Explains the decision on a request of an account at a moment: which groups and rules covered it, what each decided, who
 * set them and when. Enforcement uses the same findings. `isPresent` is as for `findQuotaStanding`.
 */
export async function explain(
  db: Queryable,
  accountId: number,
  { subject, bytes }: Wanted,
  at: Moment,
  isPresent: boolean,
) {
  const standing = await findQuotaStanding(db, accountId, at, isPresent);
  const { own, defaults, usage, reserved } = standing;
  const groups: readonly Group[] = applicableGroups(own, defaults);
  const findings = findingsOf(groups, plus(usage, reserved), subject, bytes);
  const changes = await findQuotaChanges(db, positionsIn(standing));
  const changeAt = (position: bigint | undefined) => presentChange(changes.get(position ?? -1n));
  const via = wayIn(standing);
  return {
    allowed: verdictOf(findings).allowed,
    decided_by: deciderOf(findings),
    groups: findings.map(({ group, passes = null, rules }) => ({
      name: group.name,
      via,
      passes,
      created: changeAt(group.created),
      joined: changeAt(group.joined ?? defaults.set),
      rules: rules.map(({ rule, covers, used, passes = null }) => {
        const { name, limit, subjects, set = defaults.set, added } = rule;
        return { name, limit, subjects, covers, used, passes, set: changeAt(set), added: changeAt(added) };
      }),
    })),
  };
}

/** Tells why the groups apply to the account; chooses as `applicableGroups` does. */
function wayIn({ own, defaults }: QuotaStanding): 'member' | 'default' | 'built-in' {
  if (own.length > 0) return 'member';
  return defaults.groups.length > 0 ? 'default' : 'built-in';
}

/** Returns the first rule that refused, or the group that allows; null if no group covers the subject. */
function deciderOf(findings: readonly GroupFinding[]) {
  const verdict = verdictOf(findings);
  if (verdict.allowed) {
    const allowing = findings.find(({ passes }) => passes);
    return allowing ? { group: allowing.group.name, rule: null } : null;
  }
  const [{ group, rule }] = verdict.refusals;
  return { group, rule };
}

const positionsIn = ({ own, defaults }: QuotaStanding): readonly bigint[] => [
  ...[...own, ...defaults.groups].flatMap(({ created, joined, rules }) => [
    created,
    joined,
    ...rules.flatMap(({ set, added }) => [set, added]),
  ]),
  ...(defaults.set === undefined ? [] : [defaults.set]),
];

const presentChange = (change: QuotaChangeRow | undefined) =>
  change
    ? {
        at: change.recorded_at.toISOString(),
        actor: change.actor_id === null ? null : { id: change.actor_id, name: change.actor_name },
        position: change.position,
        event_id: change.event_id,
      }
    : null;
