import { withEntry, withoutEntry } from '../collections.js';
import type { Decider, Message } from '../decider.js';
import { conflict, invalid, notFound } from '../errors.js';
import type { QuotaSubject } from './subjects.js';

/** A limit in bytes as decimal digits, because JSON numbers are not exact beyond 2^53; `-1` means none. */
type Limit = string;
type RuleFacts = { readonly limit: Limit; readonly subjects: readonly QuotaSubject[] };
type NewRule = RuleFacts & { readonly id: number; readonly name: string };

export type QuotaCatalogueCommand =
  | Message<'CreateQuotaRule', NewRule & { at: string }>
  | Message<'EditQuotaRule', { name: string; limit?: Limit; subjects?: readonly QuotaSubject[]; at: string }>
  | Message<'DeleteQuotaRule', { name: string; at: string }>
  | Message<'CreateQuotaGroup', { id: number; name: string; rules: readonly NewRule[]; at: string }>
  | Message<'DeleteQuotaGroup', { name: string; at: string }>
  | Message<'AddRuleToQuotaGroup', { group: string; rule: string; at: string }>
  | Message<'RemoveRuleFromQuotaGroup', { group: string; rule: string; at: string }>
  | Message<'RecordQuotaDefaults', { groups: readonly string[]; total: Limit; at: string }>;

type RuleInGroup = { groupId: number; groupName: string; ruleId: number; ruleName: string };

// Stored for good: fields may be added, never renamed or removed.
export type QuotaCatalogueEvent =
  | Message<'QuotaRuleCreated', { ruleId: number; name: string; createdAt: string } & RuleFacts>
  | Message<
      'QuotaRuleEdited',
      { ruleId: number; name: string; before: RuleFacts; editedAt: string } & RuleFacts
    >
  | Message<'QuotaRuleDeleted', { ruleId: number; name: string; before: RuleFacts; deletedAt: string }>
  | Message<'QuotaGroupCreated', { groupId: number; name: string; createdAt: string }>
  | Message<
      'QuotaGroupDeleted',
      { groupId: number; name: string; rules: readonly string[]; deletedAt: string }
    >
  | Message<'RuleAddedToQuotaGroup', RuleInGroup & { addedAt: string }>
  | Message<'RuleRemovedFromQuotaGroup', RuleInGroup & { removedAt: string }>
  | Message<
      'QuotaDefaultsRecorded',
      {
        groups: readonly string[];
        total: Limit;
        before?: { groups: readonly string[]; total: Limit };
        recordedAt: string;
      }
    >;

interface Rule extends RuleFacts {
  readonly id: number;
  readonly name: string;
}
interface Group {
  readonly id: number;
  readonly name: string;
  readonly ruleIds: ReadonlySet<number>;
}
export interface QuotaCatalogueState {
  readonly rules: ReadonlyMap<string, Rule>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly defaults: { readonly groups: readonly string[]; readonly total: Limit } | undefined;
}

/**
 * All quota rules and groups of the instance, by name, and the configured defaults. One stream, so that a group and
 * its rules are created in one append or not at all.
 */
export const QuotaCatalogue: Decider<QuotaCatalogueCommand, QuotaCatalogueEvent, QuotaCatalogueState> = {
  category: 'quotaCatalogue',
  initialState: { rules: new Map(), groups: new Map(), defaults: undefined },

  evolve(state, { type, data }) {
    switch (type) {
      case 'QuotaRuleCreated':
      case 'QuotaRuleEdited': {
        const { ruleId: id, name, limit, subjects } = data;
        return { ...state, rules: withEntry(state.rules, name, { id, name, limit, subjects }) };
      }
      case 'QuotaRuleDeleted':
        return { ...state, rules: withoutEntry(state.rules, data.name) };
      case 'QuotaGroupCreated': {
        const group = { id: data.groupId, name: data.name, ruleIds: new Set<number>() };
        return { ...state, groups: withEntry(state.groups, data.name, group) };
      }
      case 'QuotaGroupDeleted':
        return { ...state, groups: withoutEntry(state.groups, data.name) };
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
      case 'CreateQuotaRule':
        if (state.rules.has(data.name)) throw conflict('quota_rule.exists', `quota rule ${data.name} exists`);
        return [ruleCreated(data, data.at)];
      case 'EditQuotaRule': {
        const { id: ruleId, name, limit, subjects } = existingRule(state, data.name);
        const after = { limit: data.limit ?? limit, subjects: data.subjects ?? subjects };
        if (after.limit === limit && sameList(after.subjects, subjects)) return [];
        const before = { limit, subjects };
        return [{ type: 'QuotaRuleEdited', data: { ruleId, name, ...after, before, editedAt: data.at } }];
      }
      case 'DeleteQuotaRule': {
        const rule = existingRule(state, data.name);
        const { id: ruleId, name, limit, subjects } = rule;
        const before = { limit, subjects };
        return [
          ...groupsByName(state)
            .filter(({ ruleIds }) => ruleIds.has(ruleId))
            .map((group) => ruleRemoved(group, rule, data.at)),
          { type: 'QuotaRuleDeleted', data: { ruleId, name, before, deletedAt: data.at } },
        ];
      }
      case 'CreateQuotaGroup': {
        const { id, name, at } = data;
        if (state.groups.has(name)) throw conflict('quota_group.exists', `quota group ${name} exists`);
        const names = data.rules.map((rule) => rule.name);
        if (new Set(names).size < names.length) {
          throw invalid('quota_group.rule_twice', 'Rules', 'a rule is listed twice');
        }
        return [
          ...data.rules.filter((rule) => !state.rules.has(rule.name)).map((rule) => ruleCreated(rule, at)),
          { type: 'QuotaGroupCreated', data: { groupId: id, name, createdAt: at } },
          ...data.rules.map((rule) => ruleAdded({ id, name }, state.rules.get(rule.name) ?? rule, at)),
        ];
      }
      case 'DeleteQuotaGroup': {
        const { id: groupId, name, ruleIds } = existingGroup(state, data.name);
        const rules = [...state.rules.values()]
          .filter((rule) => ruleIds.has(rule.id))
          .map((rule) => rule.name);
        return [
          { type: 'QuotaGroupDeleted', data: { groupId, name, rules: rules.sort(), deletedAt: data.at } },
        ];
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
        if (before?.total === total && sameList(before.groups, groups)) return [];
        return [
          { type: 'QuotaDefaultsRecorded', data: { groups, total, ...(before && { before }), recordedAt } },
        ];
      }
    }
  },
};

const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((value, index) => value === right[index]);

const groupsByName = ({ groups }: QuotaCatalogueState): readonly Group[] =>
  [...groups.values()].sort((left, right) => (left.name < right.name ? -1 : 1));

function withRules(
  state: QuotaCatalogueState,
  groupName: string,
  change: (ruleIds: Set<number>) => unknown,
): QuotaCatalogueState {
  const group = state.groups.get(groupName);
  if (!group) return state;
  const ruleIds = new Set(group.ruleIds);
  change(ruleIds);
  return { ...state, groups: withEntry(state.groups, groupName, { ...group, ruleIds }) };
}

function existingRule({ rules }: QuotaCatalogueState, name: string): Rule {
  const rule = rules.get(name);
  if (!rule) throw notFound('quota_rule.absent', `quota rule ${name} does not exist`);
  return rule;
}

function existingGroup({ groups }: QuotaCatalogueState, name: string): Group {
  const group = groups.get(name);
  if (!group) throw notFound('quota_group.absent', `quota group ${name} does not exist`);
  return group;
}

const ruleCreated = ({ id, name, limit, subjects }: NewRule, at: string): QuotaCatalogueEvent => ({
  type: 'QuotaRuleCreated',
  data: { ruleId: id, name, limit, subjects, createdAt: at },
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
