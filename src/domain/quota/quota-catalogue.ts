import { is, List, Map, OrderedSet, Set } from 'immutable';
import type { Decider } from '../decider.js';
import { conflict, invalid, notFound } from '../errors.js';
import { snapshotForm } from '../snapshot.js';
import { UNLIMITED } from './evaluation.js';
import { byName, checkDistinct, checkQuotaName } from './names.js';
import type {
  Limit,
  QuotaCatalogueCommand,
  QuotaCatalogueEvent,
  RuleFacts,
  RuleInGroup,
  WantedRule,
} from './quota-catalogue-messages.js';
import { isQuotaSubject, type QuotaSubject } from './subjects.js';

export type { QuotaCatalogueCommand, QuotaCatalogueEvent } from './quota-catalogue-messages.js';

/** A rule that exists. */
export interface CatalogueRule extends RuleFacts {
  readonly id: number;
  readonly name: string;
}
/** A group that exists, and the ids of its rules. */
export interface CatalogueGroup {
  readonly id: number;
  readonly name: string;
  readonly ruleIds: Set<number>;
}
/** The existing rules and groups, by name. */
export interface QuotaCatalogueState {
  readonly rules: Map<string, CatalogueRule>;
  readonly groups: Map<string, CatalogueGroup>;
  /** The configured defaults for accounts in no group. */
  readonly defaults: { readonly groups: readonly string[]; readonly total: Limit };
}

/**
 * All quota rules and groups of the instance, by name, and the configured defaults. They are in one stream, so that a
 * group and its rules are created by one append or not at all.
 */
export const QuotaCatalogue: Decider<QuotaCatalogueCommand, QuotaCatalogueEvent, QuotaCatalogueState> = {
  category: 'quotaCatalogue',
  initialState: { rules: Map(), groups: Map(), defaults: { groups: [], total: UNLIMITED.toString() } },
  snapshot: snapshotForm(1),

  evolve(state, { type, data }) {
    switch (type) {
      case 'QuotaRuleCreated':
      case 'QuotaRuleEdited': {
        const { ruleId: id, name, limit, subjects } = data;
        return { ...state, rules: state.rules.set(name, { id, name, limit, subjects }) };
      }
      case 'QuotaRuleDeleted':
        return { ...state, rules: state.rules.delete(data.name) };
      case 'QuotaGroupCreated': {
        const group = { id: data.groupId, name: data.name, ruleIds: Set<number>() };
        return { ...state, groups: state.groups.set(data.name, group) };
      }
      case 'QuotaGroupDeleted':
        return { ...state, groups: state.groups.delete(data.name) };
      case 'RuleAddedToQuotaGroup':
        return withRules(state, data.groupName, (ruleIds) => ruleIds.add(data.ruleId));
      case 'RuleRemovedFromQuotaGroup':
        return withRules(state, data.groupName, (ruleIds) => ruleIds.delete(data.ruleId));
      case 'QuotaDefaultsRecorded':
        return { ...state, defaults: { groups: data.groups, total: data.total } };
    }
  },

  decide({ type, data }, state) {
    switch (type) {
      case 'CreateQuotaRule': {
        const created = ruleCreated(data, data.at);
        if (state.rules.has(data.name))
          throw conflict('quota_rule.exists', `quota rule ${data.name} already exists`);
        return [created];
      }
      case 'EditQuotaRule': {
        const { id: ruleId, name, ...before } = existingRule(state, data.name);
        const after = {
          limit: data.limit === undefined ? before.limit : checkedLimit(data.limit),
          subjects: data.subjects === undefined ? before.subjects : checkedSubjects(data.subjects),
        };
        if (after.limit === before.limit && is(List(after.subjects), List(before.subjects))) return [];
        return [{ type: 'QuotaRuleEdited', data: { ruleId, name, ...after, before, editedAt: data.at } }];
      }
      case 'LightenQuotaRule': {
        const rule = existingRule(state, data.name);
        const holders = holdersOf(state, rule);
        if (holders.length <= MOST_REMOVED) return [];
        return holders.slice(0, MOST_REMOVED).map((group) => ruleRemoved(group, rule, data.at));
      }
      case 'DeleteQuotaRule': {
        const rule = existingRule(state, data.name);
        const { id: ruleId, name, ...before } = rule;
        return [
          ...holdersOf(state, rule).map((group) => ruleRemoved(group, rule, data.at)),
          { type: 'QuotaRuleDeleted', data: { ruleId, name, before, deletedAt: data.at } },
        ];
      }
      case 'CreateQuotaGroup': {
        const { id, name, at } = data;
        checkQuotaName('Name', name);
        if (state.groups.has(name))
          throw conflict('quota_group.exists', `quota group ${name} already exists`);
        const listed = data.rules.map((rule) => rule.name);
        for (const rule of listed) checkQuotaName('Rules', rule);
        checkDistinct('Rules', 'a rule', listed);
        return [
          ...data.rules.filter((rule) => !state.rules.has(rule.name)).map((rule) => ruleCreated(rule, at)),
          { type: 'QuotaGroupCreated', data: { groupId: id, name, createdAt: at } },
          ...data.rules.map((rule) => ruleAdded({ id, name }, state.rules.get(rule.name) ?? rule, at)),
        ];
      }
      case 'LightenQuotaGroup': {
        const group = existingGroup(state, data.name);
        if (group.ruleIds.size <= MOST_RULES_NAMED) return [];
        return rulesIn(state, group)
          .slice(0, MOST_REMOVED)
          .map((rule) => ruleRemoved(group, rule, data.at));
      }
      case 'DeleteQuotaGroup': {
        const group = existingGroup(state, data.name);
        const { id: groupId, name } = group;
        const rules = rulesIn(state, group).map((rule) => rule.name);
        return [{ type: 'QuotaGroupDeleted', data: { groupId, name, rules, deletedAt: data.at } }];
      }
      case 'AddRuleToQuotaGroup': {
        const group = existingGroup(state, data.group);
        const rule = state.rules.get(data.rule);
        if (!rule) throw invalid('quota_rule.absent', 'Quotarule', `quota rule ${data.rule} does not exist`);
        if (group.ruleIds.has(rule.id))
          throw conflict('quota_group.has_rule', 'the rule is already in the group');
        return [ruleAdded(group, rule, data.at)];
      }
      case 'RemoveRuleFromQuotaGroup': {
        const group = existingGroup(state, data.group);
        const rule = existingRule(state, data.rule);
        if (!group.ruleIds.has(rule.id))
          throw notFound('quota_group.lacks_rule', 'the rule is not in the group');
        return [ruleRemoved(group, rule, data.at)];
      }
      case 'RecordQuotaDefaults': {
        const { groups, total, at: recordedAt } = data;
        const before = state.defaults;
        if (before.total === total && is(List(groups), List(before.groups))) return [];
        return [{ type: 'QuotaDefaultsRecorded', data: { groups, total, before, recordedAt } }];
      }
    }
  },
};

/** How many rules are taken out of groups at once: as many as fit into one append, however long the names are. */
const MOST_REMOVED = 250;
/** How many rules the event of a deleted group can name, however long their names are. */
const MOST_RULES_NAMED = 900;

/** The only stream of its category: `quotaCatalogue-main`. */
export const QUOTA_CATALOGUE = 'main';

/** Returns the groups that hold a rule, by name. */
const holdersOf = ({ groups }: QuotaCatalogueState, { id }: CatalogueRule): readonly CatalogueGroup[] =>
  [...groups.values()].filter(({ ruleIds }) => ruleIds.has(id)).sort(byName);

/** Returns the rules in a group, by name. */
const rulesIn = ({ rules }: QuotaCatalogueState, { ruleIds }: CatalogueGroup): readonly CatalogueRule[] =>
  [...rules.values()].filter(({ id }) => ruleIds.has(id)).sort(byName);

function withRules(
  state: QuotaCatalogueState,
  groupName: string,
  change: (ruleIds: Set<number>) => Set<number>,
): QuotaCatalogueState {
  const group = state.groups.get(groupName);
  if (!group) return state;
  return { ...state, groups: state.groups.set(groupName, { ...group, ruleIds: change(group.ruleIds) }) };
}

function existingRule({ rules }: QuotaCatalogueState, name: string): CatalogueRule {
  const rule = rules.get(name);
  if (!rule) throw notFound('quota_rule.absent', `quota rule ${name} does not exist`);
  return rule;
}

function existingGroup({ groups }: QuotaCatalogueState, name: string): CatalogueGroup {
  const group = groups.get(name);
  if (!group) throw notFound('quota_group.absent', `quota group ${name} does not exist`);
  return group;
}

/** Checks the name, the limit and the subjects, in this order, and makes the event of a new rule. */
function ruleCreated({ id, name, limit, subjects }: WantedRule, at: string): QuotaCatalogueEvent {
  checkQuotaName('Name', name);
  const facts = { limit: checkedLimit(limit), subjects: checkedSubjects(subjects) };
  return { type: 'QuotaRuleCreated', data: { ruleId: id, name, ...facts, createdAt: at } };
}

function checkedLimit(limit: Limit): Limit {
  if (BigInt(limit) < UNLIMITED)
    throw invalid('quota_rule.limit', 'Limit', 'must be -1 (no limit), 0 or more bytes');
  return limit;
}

/** Checks subjects. One that is listed twice is kept once, at its first place. */
const checkedSubjects = (subjects: readonly string[]): readonly QuotaSubject[] =>
  [...OrderedSet(subjects)].map((subject) => {
    if (isQuotaSubject(subject)) return subject;
    throw invalid('quota_rule.subject', 'Subjects', `${JSON.stringify(subject)} is not a quota subject`);
  });

type Named = { readonly id: number; readonly name: string };

const ruleInGroup = (group: Named, rule: Named): RuleInGroup => ({
  groupId: group.id,
  groupName: group.name,
  ruleId: rule.id,
  ruleName: rule.name,
});

const ruleAdded = (group: Named, rule: Named, at: string): QuotaCatalogueEvent => ({
  type: 'RuleAddedToQuotaGroup',
  data: { ...ruleInGroup(group, rule), addedAt: at },
});

const ruleRemoved = (group: Named, rule: Named, at: string): QuotaCatalogueEvent => ({
  type: 'RuleRemovedFromQuotaGroup',
  data: { ...ruleInGroup(group, rule), removedAt: at },
});
