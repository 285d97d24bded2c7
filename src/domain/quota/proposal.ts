import { accountNameKey } from '../accounts/names.js';
import { invalid } from '../errors.js';
import { applicableGroups, UNLIMITED, type QuotaGroup, type QuotaRule } from './evaluation.js';
import { byName } from './groups.js';
import { checkDistinct } from './names.js';
import { isQuotaSubject, type QuotaSubject } from './subjects.js';

/**
 * Rules, groups and memberships as they might be. What is named replaces what bears the name; what is not named stays
 * as it is, and so does what is left out of a group or a rule that is there already.
 */
export interface QuotaProposal {
  readonly rules?: readonly ProposedRule[] | undefined;
  readonly groups?: readonly ProposedGroup[] | undefined;
  /** For accounts in no group. */
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
  /** Names of rules. */
  readonly rules: readonly string[];
  /** Names of accounts; absent: those that are in it already. */
  readonly members?: readonly string[] | undefined;
}

/** Rules and groups as they are. */
export interface Catalogue {
  readonly rules: readonly QuotaRule[];
  readonly groups: readonly QuotaGroup[];
  readonly defaults: { readonly groups: readonly string[]; readonly total: bigint };
}

/** What would apply to an account by a proposal. */
export class ProposedLimits {
  /** By name. */
  readonly #groups: readonly QuotaGroup[];
  readonly #members: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #defaults: { readonly groups: readonly QuotaGroup[]; readonly total: bigint };

  /**
   * `accounts` has the ids of all members that are named, by lower-case name. Refuses a proposal that names what there
   * is not, or the same twice.
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

  /** What would apply to the account that is in groups of these names now. */
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
