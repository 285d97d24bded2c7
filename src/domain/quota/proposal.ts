import { accountNameKey } from '../accounts/names.js';
import { invalid } from '../errors.js';
import { applicableGroups, UNLIMITED, type QuotaGroup, type QuotaRule } from './evaluation.js';
import { byName, checkDistinct } from './names.js';
import { isQuotaSubject, type QuotaSubject } from './subjects.js';

/**
 * Proposed rules, groups and memberships. Those that are named replace existing ones of the same name; the others stay
 * as they are, and so do fields of existing groups and rules that are left out.
 */
export interface QuotaProposal {
  readonly rules?: readonly ProposedRule[] | undefined;
  readonly groups?: readonly ProposedGroup[] | undefined;
  /** The names of the groups for accounts in no group. */
  readonly default_groups?: readonly string[] | undefined;
}

interface ProposedRule {
  readonly name: string;
  /** Bytes; -1 means no limit. */
  readonly limit: bigint;
  readonly subjects: readonly string[];
}

interface ProposedGroup {
  readonly name: string;
  /** The names of its rules. */
  readonly rules: readonly string[];
  /** The names of its members; if absent, the present members stay. */
  readonly members?: readonly string[] | undefined;
}

/** The present rules, groups and defaults. */
export interface Catalogue {
  readonly rules: readonly QuotaRule[];
  readonly groups: readonly QuotaGroup[];
  readonly defaults: { readonly groups: readonly string[]; readonly total: bigint };
}

/** The limits that would apply to accounts under a proposal. */
export class ProposedLimits {
  /** Sorted by name. */
  readonly #groups: readonly QuotaGroup[];
  readonly #members: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #defaults: { readonly groups: readonly QuotaGroup[]; readonly total: bigint };

  /**
   * Checks the proposal. `accounts` are the ids of all named members, by lower-case name. Refuses names of things that
   * do not exist, and repeated names.
   */
  constructor(catalogue: Catalogue, proposal: QuotaProposal, accounts: ReadonlyMap<string, number>) {
    const {
      rules: proposedRules = [],
      groups: proposedGroups = [],
      default_groups: proposedDefaults,
    } = proposal;
    checkDistinct('Rules', 'a rule', proposedRules.map(nameOf));
    checkDistinct('Groups', 'a group', proposedGroups.map(nameOf));
    checkDistinct('DefaultGroups', 'a group', proposedDefaults ?? []);
    const rules = new Map(catalogue.rules.map((rule) => [rule.name, rule]));
    for (const rule of proposedRules) rules.set(rule.name, checkedRule(rule));
    const groups = new Map<string, QuotaGroup>(
      catalogue.groups.map(({ name, rules: current }) => [
        name,
        { name, rules: current.map((rule) => ruleNamed(rules, rule.name)) },
      ]),
    );
    const members = new Map<string, ReadonlySet<number>>();
    for (const group of proposedGroups) {
      groups.set(group.name, checkedGroup(group, rules));
      if (group.members) members.set(group.name, checkedMembers(group.members, accounts));
    }
    for (const name of proposedDefaults ?? []) if (!groups.has(name)) throw defaultGroupAbsent(name);
    const defaults = proposedDefaults ?? catalogue.defaults.groups;
    this.#groups = [...groups.values()].sort(byName);
    this.#members = members;
    this.#defaults = {
      groups: this.#groups.filter(({ name }) => defaults.includes(name)),
      total: catalogue.defaults.total,
    };
  }

  /** Returns the groups that would apply to an account that is in the groups named `current` now. */
  groupsOf(accountId: number, current: ReadonlySet<string>): readonly QuotaGroup[] {
    const own = this.#groups.filter(
      ({ name }) => this.#members.get(name)?.has(accountId) ?? current.has(name),
    );
    return applicableGroups(own, this.#defaults);
  }
}

const nameOf = ({ name }: { readonly name: string }) => name;

function checkedRule({ name, limit, subjects }: ProposedRule): QuotaRule {
  if (limit < UNLIMITED) throw invalid('quota_rule.limit', 'Rules', 'a limit is -1 (none), 0 or more bytes');
  return { name, limit, subjects: [...new Set(subjects)].map(checkedSubject) };
}

function checkedSubject(subject: string): QuotaSubject {
  if (isQuotaSubject(subject)) return subject;
  throw invalid('quota_rule.subject', 'Rules', `${JSON.stringify(subject)} is not a quota subject`);
}

function checkedGroup(
  { name, rules: names }: ProposedGroup,
  rules: ReadonlyMap<string, QuotaRule>,
): QuotaGroup {
  checkDistinct('Rules', 'a rule', names);
  return { name, rules: names.map((rule) => ruleNamed(rules, rule)).sort(byName) };
}

function ruleNamed(rules: ReadonlyMap<string, QuotaRule>, name: string): QuotaRule {
  const rule = rules.get(name);
  if (!rule)
    throw invalid('quota_rule.absent', 'Groups', `quota rule ${JSON.stringify(name)} does not exist`);
  return rule;
}

const defaultGroupAbsent = (name: string) =>
  invalid('quota_group.absent', 'DefaultGroups', `quota group ${JSON.stringify(name)} does not exist`);

function checkedMembers(
  names: readonly string[],
  accounts: ReadonlyMap<string, number>,
): ReadonlySet<number> {
  const ids = names.map((name) => accountNamed(accounts, name));
  checkDistinct('Members', 'an account', ids);
  return new Set(ids);
}

function accountNamed(accounts: ReadonlyMap<string, number>, name: string): number {
  const id = accounts.get(accountNameKey(name));
  if (id === undefined)
    throw invalid('account.absent', 'Members', `there is no account ${JSON.stringify(name)}`);
  return id;
}
