import { Map, OrderedSet, Set } from 'immutable';
import type { Decider, Message } from '../decider.js';
import { conflict, invalid, notFound } from '../errors.js';
import { snapshotForm } from '../snapshot.js';
import { UNLIMITED } from './evaluation.js';
import { checkDistinct, checkQuotaName } from './names.js';
import { isQuotaSubject, type QuotaSubject } from './subjects.js';

/** A limit in bytes as decimal digits, because JSON numbers are not exact beyond 2^53; `-1` means none. */
type Limit = string;
type RuleFacts = { readonly limit: Limit; readonly subjects: readonly QuotaSubject[] };
/** A rule as it is asked for: nothing about it has been checked. The id is spent only if the rule is created. */
type WantedRule = {
  readonly id: number;
  readonly name: string;
  readonly limit: Limit;
  readonly subjects: readonly string[];
};

/** What the catalogue is told. Rules and groups are named; what is absent in an edit stays. */
export type QuotaCatalogueCommand =
  | Message<'CreateQuotaRule', WantedRule & { at: string }>
  | Message<'EditQuotaRule', { name: string; limit?: Limit; subjects?: readonly string[]; at: string }>
  | Message<'DeleteQuotaRule', { name: string; at: string }>
  | Message<'CreateQuotaGroup', { id: number; name: string; rules: readonly WantedRule[]; at: string }>
  | Message<'DeleteQuotaGroup', { name: string; at: string }>
  | Message<'AddRuleToQuotaGroup', { group: string; rule: string; at: string }>
  | Message<'RemoveRuleFromQuotaGroup', { group: string; rule: string; at: string }>
  | Message<'RecordQuotaDefaults', { groups: readonly string[]; total: Limit; at: string }>;

type RuleInGroup = { groupId: number; groupName: string; ruleId: number; ruleName: string };

// Stored for good: fields may be added, never renamed or removed.
/** What happened to rules, groups and the configured defaults, names as they were then; `before` is what it was. */
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
        before: { groups: readonly string[]; total: Limit };
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
  readonly ruleIds: Set<number>;
}
/** Rules and groups that exist, by name. */
export interface QuotaCatalogueState {
  readonly rules: Map<string, Rule>;
  readonly groups: Map<string, Group>;
  /** What applies to accounts in no group, as configured. */
  readonly defaults: { readonly groups: readonly string[]; readonly total: Limit };
}

/**
 * All quota rules and groups of the instance, by name, and the configured defaults. One stream, so that a group and
 * its rules are created in one append or not at all.
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
        if (state.rules.has(data.name)) throw conflict('quota_rule.exists', `quota rule ${data.name} exists`);
        return [created];
      }
      case 'EditQuotaRule': {
        const { id: ruleId, name, ...before } = existingRule(state, data.name);
        const after = {
          limit: data.limit === undefined ? before.limit : checkedLimit(data.limit),
          subjects: data.subjects === undefined ? before.subjects : checkedSubjects(data.subjects),
        };
        if (after.limit === before.limit && sameList(after.subjects, before.subjects)) return [];
        return [{ type: 'QuotaRuleEdited', data: { ruleId, name, ...after, before, editedAt: data.at } }];
      }
      case 'DeleteQuotaRule': {
        const rule = existingRule(state, data.name);
        const { id: ruleId, name, ...before } = rule;
        return [
          ...groupsByName(state)
            .filter(({ ruleIds }) => ruleIds.has(ruleId))
            .map((group) => ruleRemoved(group, rule, data.at)),
          { type: 'QuotaRuleDeleted', data: { ruleId, name, before, deletedAt: data.at } },
        ];
      }
      case 'CreateQuotaGroup': {
        const { id, name, at } = data;
        checkQuotaName('Name', name);
        if (state.groups.has(name)) throw conflict('quota_group.exists', `quota group ${name} exists`);
        const listed = data.rules.map((rule) => rule.name);
        for (const rule of listed) checkQuotaName('Rules', rule);
        checkDistinct('Rules', 'a rule', listed);
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
        if (before.total === total && sameList(before.groups, groups)) return [];
        return [{ type: 'QuotaDefaultsRecorded', data: { groups, total, before, recordedAt } }];
      }
    }
  },
};

/** The only stream of its category: `quotaCatalogue-main`. */
export const QUOTA_CATALOGUE = 'main';

const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((value, index) => value === right[index]);

const groupsByName = ({ groups }: QuotaCatalogueState): readonly Group[] =>
  [...groups.values()].sort((left, right) => (left.name < right.name ? -1 : 1));

function withRules(
  state: QuotaCatalogueState,
  groupName: string,
  change: (ruleIds: Set<number>) => Set<number>,
): QuotaCatalogueState {
  const group = state.groups.get(groupName);
  if (!group) return state;
  return { ...state, groups: state.groups.set(groupName, { ...group, ruleIds: change(group.ruleIds) }) };
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

/** Checks in this order: the name, the limit, the subjects. */
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

/** A subject listed twice is kept once, at its first place. */
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
