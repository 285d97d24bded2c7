import { expect } from 'chai';
import fc from 'fast-check';
import {
  QuotaCatalogue,
  type QuotaCatalogueCommand,
  type QuotaCatalogueEvent,
} from '../../../src/domain/quota/quota-catalogue.js';
import { DomainError } from '../../../src/domain/errors.js';
import type { QuotaSubject } from '../../../src/domain/quota/subjects.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const all: QuotaSubject[] = ['size:all'];

const rule = (id: number, name: string, limit = '10', subjects: readonly string[] = all) => ({
  id,
  name,
  limit,
  subjects,
});
const createRule = (...wanted: Parameters<typeof rule>): QuotaCatalogueCommand => ({
  type: 'CreateQuotaRule',
  data: { ...rule(...wanted), at },
});
const edit = (
  name: string,
  changes: { limit?: string; subjects?: readonly string[] },
): QuotaCatalogueCommand => ({
  type: 'EditQuotaRule',
  data: { name, ...changes, at },
});
const deleteRule = (name: string): QuotaCatalogueCommand => ({ type: 'DeleteQuotaRule', data: { name, at } });
const lighten = (kind: 'QuotaRule' | 'QuotaGroup', name: string): QuotaCatalogueCommand => ({
  type: `Lighten${kind}`,
  data: { name, at },
});
const createGroup = (
  id: number,
  name: string,
  ...rules: ReturnType<typeof rule>[]
): QuotaCatalogueCommand => ({ type: 'CreateQuotaGroup', data: { id, name, rules, at } });
const deleteGroup = (name: string): QuotaCatalogueCommand => ({
  type: 'DeleteQuotaGroup',
  data: { name, at },
});
const addRule = (group: string, rule: string): QuotaCatalogueCommand => ({
  type: 'AddRuleToQuotaGroup',
  data: { group, rule, at },
});
const removeRule = (group: string, rule: string): QuotaCatalogueCommand => ({
  type: 'RemoveRuleFromQuotaGroup',
  data: { group, rule, at },
});
const recordDefaults = (total: string, ...groups: string[]): QuotaCatalogueCommand => ({
  type: 'RecordQuotaDefaults',
  data: { groups, total, at },
});

const ruleCreated = (ruleId: number, name: string, limit = '10', subjects = all): QuotaCatalogueEvent => ({
  type: 'QuotaRuleCreated',
  data: { ruleId, name, limit, subjects, createdAt: at },
});
const ruleDeleted = (ruleId: number, name: string): QuotaCatalogueEvent => ({
  type: 'QuotaRuleDeleted',
  data: { ruleId, name, before: { limit: '10', subjects: all }, deletedAt: at },
});
const groupCreated = (groupId: number, name: string): QuotaCatalogueEvent => ({
  type: 'QuotaGroupCreated',
  data: { groupId, name, createdAt: at },
});
const groupDeleted = (groupId: number, name: string, ...rules: string[]): QuotaCatalogueEvent => ({
  type: 'QuotaGroupDeleted',
  data: { groupId, name, rules, deletedAt: at },
});
const ruleAdded = (
  groupId: number,
  groupName: string,
  ruleId: number,
  ruleName: string,
): QuotaCatalogueEvent => ({
  type: 'RuleAddedToQuotaGroup',
  data: { groupId, groupName, ruleId, ruleName, addedAt: at },
});
const ruleRemoved = (
  groupId: number,
  groupName: string,
  ruleId: number,
  ruleName: string,
): QuotaCatalogueEvent => ({
  type: 'RuleRemovedFromQuotaGroup',
  data: { groupId, groupName, ruleId, ruleName, removedAt: at },
});
const defaultsRecorded = (
  before: { groups: readonly string[]; total: string },
  total: string,
  ...groups: string[]
): QuotaCatalogueEvent => ({
  type: 'QuotaDefaultsRecorded',
  data: { groups, total, before, recordedAt: at },
});

describe('QuotaCatalogue', () => {
  const { given } = specification(QuotaCatalogue);

  describe('a rule', () => {
    it('is created with its limit and subjects', () => {
      given()
        .when(createRule(1, 'small', '9007199254740993', ['size:git:lfs']))
        .then(ruleCreated(1, 'small', '9007199254740993', ['size:git:lfs']));
    });
    it('keeps a subject that is listed twice once, at its first place', () => {
      given()
        .when(createRule(1, 'small', '10', ['size:git:lfs', 'size:all', 'size:git:lfs']))
        .then(ruleCreated(1, 'small', '10', ['size:git:lfs', 'size:all']));
    });
    it('may have no subjects', () => {
      given()
        .when(createRule(1, 'small', '10', []))
        .then(ruleCreated(1, 'small', '10', []));
    });
    it('has a name of its own', () => {
      given(ruleCreated(1, 'small')).when(createRule(2, 'small')).thenRefused('quota_rule.exists');
    });
    it('tells names apart by letter case', () => {
      given(ruleCreated(1, 'small')).when(createRule(2, 'Small')).then(ruleCreated(2, 'Small'));
    });
    it('needs a name', () => {
      given().when(createRule(1, '')).thenRefused('quota.name_missing');
    });
    it('has a name of 255 characters at most', () => {
      given()
        .when(createRule(1, '🦊'.repeat(255)))
        .then(ruleCreated(1, '🦊'.repeat(255)));
      given()
        .when(createRule(1, 'x'.repeat(256)))
        .thenRefused('quota.name_too_long');
    });
    it('has no control characters or halves of surrogate pairs in its name', () => {
      given().when(createRule(1, 'a\nb')).thenRefused('quota.name_unprintable');
      given().when(createRule(1, 'a\ud800')).thenRefused('quota.name_unprintable');
    });
    it('has a limit of -1 or more', () => {
      given()
        .when(createRule(1, 'small', '-1'))
        .then(ruleCreated(1, 'small', '-1'));
      given()
        .when(createRule(1, 'small', '-2'))
        .thenRefused('quota_rule.limit');
    });
    it('knows its subjects', () => {
      given()
        .when(createRule(1, 'small', '10', ['size:everything']))
        .thenRefused('quota_rule.subject');
      given()
        .when(createRule(1, 'small', '10', ['toString']))
        .thenRefused('quota_rule.subject');
    });
    it('is checked by name, limit, subjects, and only then for being there already', () => {
      given(ruleCreated(1, 'small'))
        .when(createRule(2, 'small', '-2', ['x']))
        .thenRefused('quota_rule.limit');
      given(ruleCreated(1, 'small'))
        .when(createRule(2, 'small', '1', ['x']))
        .thenRefused('quota_rule.subject');
    });
    it('is edited in part, and remembers what it was', () => {
      given(ruleCreated(1, 'small'))
        .when(edit('small', { limit: '20' }))
        .then({
          type: 'QuotaRuleEdited',
          data: {
            ruleId: 1,
            name: 'small',
            limit: '20',
            subjects: all,
            before: { limit: '10', subjects: all },
            editedAt: at,
          },
        });
    });
    it('loses its subjects to an empty list', () => {
      given(ruleCreated(1, 'small'))
        .when(edit('small', { subjects: [] }))
        .then({
          type: 'QuotaRuleEdited',
          data: {
            ruleId: 1,
            name: 'small',
            limit: '10',
            subjects: [],
            before: { limit: '10', subjects: all },
            editedAt: at,
          },
        });
    });
    it('records nothing when an edit changes nothing', () => {
      given(ruleCreated(1, 'small')).when(edit('small', {})).then();
      given(ruleCreated(1, 'small'))
        .when(edit('small', { limit: '10', subjects: all }))
        .then();
    });
    it('is not edited into what could not be created', () => {
      given(ruleCreated(1, 'small'))
        .when(edit('small', { limit: '-2' }))
        .thenRefused('quota_rule.limit');
      given(ruleCreated(1, 'small'))
        .when(edit('small', { subjects: ['x'] }))
        .thenRefused('quota_rule.subject');
    });
    it('must be there to be edited or deleted', () => {
      given().when(edit('small', {})).thenRefused('quota_rule.absent');
      given().when(deleteRule('small')).thenRefused('quota_rule.absent');
    });
    it('leaves every group that holds it when it is deleted', () => {
      given(
        ruleCreated(1, 'small'),
        groupCreated(1, 'b'),
        groupCreated(2, 'a'),
        groupCreated(3, 'c'),
        groupCreated(4, 'd'),
        ruleAdded(1, 'b', 1, 'small'),
        ruleAdded(2, 'a', 1, 'small'),
        ruleAdded(4, 'd', 1, 'small'),
      )
        .when(deleteRule('small'))
        .then(
          ruleRemoved(2, 'a', 1, 'small'),
          ruleRemoved(1, 'b', 1, 'small'),
          ruleRemoved(4, 'd', 1, 'small'),
          ruleDeleted(1, 'small'),
        );
    });
    it('is taken out of 250 groups at a time while more hold it, before it is deleted', () => {
      const ids = Array.from({ length: 251 }, (_, index) => index + 1);
      const name = (id: number) => `group ${String(id).padStart(3, '0')}`;
      const removed = ids.map((id) => ruleRemoved(id, name(id), 1, 'small'));
      const held = [
        ruleCreated(1, 'small'),
        ...ids.flatMap((id) => [groupCreated(id, name(id)), ruleAdded(id, name(id), 1, 'small')]),
      ];
      const [first, rest] = [removed.slice(0, 250), removed.slice(250)];
      given(...held)
        .when(lighten('QuotaRule', 'small'))
        .then(...first);
      given(...held, ...first)
        .when(lighten('QuotaRule', 'small'))
        .then();
      given(...held, ...first)
        .when(deleteRule('small'))
        .then(...rest, ruleDeleted(1, 'small'));
      given().when(lighten('QuotaRule', 'small')).thenRefused('quota_rule.absent');
    });
    it('frees its name when it is deleted', () => {
      given(ruleCreated(1, 'small'), ruleDeleted(1, 'small'))
        .when(createRule(2, 'small'))
        .then(ruleCreated(2, 'small'));
    });
  });

  describe('a group', () => {
    it('is created with new rules and rules that exist, which stay as they are', () => {
      given(ruleCreated(1, 'old', '5'))
        .when(createGroup(7, 'staff', rule(8, 'old', '99', ['ignored']), rule(9, 'new', '0')))
        .then(
          ruleCreated(9, 'new', '0'),
          groupCreated(7, 'staff'),
          ruleAdded(7, 'staff', 1, 'old'),
          ruleAdded(7, 'staff', 9, 'new'),
        );
    });
    it('may have no rules', () => {
      given().when(createGroup(7, 'staff')).then(groupCreated(7, 'staff'));
    });
    it('is not created when one of its new rules is not valid', () => {
      given()
        .when(createGroup(7, 'staff', rule(1, 'good'), rule(2, 'bad', '1', ['x'])))
        .thenRefused('quota_rule.subject');
      given()
        .when(createGroup(7, 'staff', rule(1, '')))
        .thenRefused('quota.name_missing');
    });
    it('lists a rule once', () => {
      given()
        .when(createGroup(7, 'staff', rule(1, 'small'), rule(2, 'small')))
        .thenRefused('quota.listed_twice');
    });
    it('has a name of its own, which is checked before its rules', () => {
      given(groupCreated(1, 'staff'))
        .when(createGroup(2, 'staff', rule(1, 'bad', '1', ['x'])))
        .thenRefused('quota_group.exists');
    });
    it('needs a name', () => {
      given().when(createGroup(1, '')).thenRefused('quota.name_missing');
    });
    it('remembers its rules when it is deleted, and the rules stay', () => {
      const history = [
        ruleCreated(1, 'z'),
        ruleCreated(2, 'a'),
        groupCreated(7, 'staff'),
        ruleAdded(7, 'staff', 1, 'z'),
        ruleAdded(7, 'staff', 2, 'a'),
      ];
      given(...history, ruleCreated(3, 'elsewhere'))
        .when(deleteGroup('staff'))
        .then(groupDeleted(7, 'staff', 'a', 'z'));
      given(...history, groupDeleted(7, 'staff', 'a', 'z'))
        .when(createRule(3, 'a'))
        .thenRefused('quota_rule.exists');
    });
    it('frees its name when it is deleted, and comes back without its rules', () => {
      given(
        ruleCreated(1, 'small'),
        groupCreated(7, 'staff'),
        ruleAdded(7, 'staff', 1, 'small'),
        groupDeleted(7, 'staff', 'small'),
        groupCreated(8, 'staff'),
      )
        .when(removeRule('staff', 'small'))
        .thenRefused('quota_group.lacks_rule');
    });
    it('is gone when it is deleted', () => {
      given(groupCreated(7, 'staff'), groupDeleted(7, 'staff'))
        .when(createGroup(8, 'staff'))
        .then(groupCreated(8, 'staff'));
      given(groupCreated(7, 'staff'), groupDeleted(7, 'staff'))
        .when(deleteGroup('staff'))
        .thenRefused('quota_group.absent');
    });
    it('must be there to be deleted', () => {
      given().when(deleteGroup('staff')).thenRefused('quota_group.absent');
      given().when(lighten('QuotaGroup', 'staff')).thenRefused('quota_group.absent');
    });
    it('loses 250 rules at a time while its deletion could not name them all', () => {
      const ids = Array.from({ length: 901 }, (_, index) => index + 1);
      const name = (id: number) => `rule ${String(id).padStart(3, '0')}`;
      const held = [
        groupCreated(7, 'staff'),
        ...ids.flatMap((id) => [ruleCreated(id, name(id)), ruleAdded(7, 'staff', id, name(id))]),
      ];
      const removed = ids.slice(0, 250).map((id) => ruleRemoved(7, 'staff', id, name(id)));
      given(...held)
        .when(lighten('QuotaGroup', 'staff'))
        .then(...removed);
      given(...held, ...removed)
        .when(lighten('QuotaGroup', 'staff'))
        .then();
    });
    it('gets a rule that exists, once', () => {
      const history = [ruleCreated(1, 'small'), groupCreated(7, 'staff')];
      given(...history)
        .when(addRule('staff', 'small'))
        .then(ruleAdded(7, 'staff', 1, 'small'));
      given(...history, ruleAdded(7, 'staff', 1, 'small'))
        .when(addRule('staff', 'small'))
        .thenRefused('quota_group.has_rule');
    });
    it('refuses a rule that does not exist; that the group is missing is said first', () => {
      given(groupCreated(7, 'staff')).when(addRule('staff', 'small')).thenRefused('quota_rule.absent');
      given().when(addRule('staff', 'small')).thenRefused('quota_group.absent');
    });
    it('gives up a rule that it holds', () => {
      const history = [ruleCreated(1, 'small'), groupCreated(7, 'staff')];
      given(...history, ruleAdded(7, 'staff', 1, 'small'))
        .when(removeRule('staff', 'small'))
        .then(ruleRemoved(7, 'staff', 1, 'small'));
      given(...history)
        .when(removeRule('staff', 'small'))
        .thenRefused('quota_group.lacks_rule');
      given(groupCreated(7, 'staff')).when(removeRule('staff', 'small')).thenRefused('quota_rule.absent');
      given().when(removeRule('staff', 'small')).thenRefused('quota_group.absent');
    });
  });

  describe('the defaults', () => {
    const none = { groups: [], total: '-1' };

    it('are no groups and no limit until something else is recorded', () => {
      given().when(recordDefaults('-1')).then();
    });
    it('are recorded when they change, with what they were', () => {
      given()
        .when(recordDefaults('5', 'staff'))
        .then(defaultsRecorded(none, '5', 'staff'));
      given(defaultsRecorded(none, '5', 'staff'))
        .when(recordDefaults('-1'))
        .then(defaultsRecorded({ groups: ['staff'], total: '5' }, '-1'));
    });
    it('are recorded when the limit alone changes, or the groups alone', () => {
      const before = { groups: ['a'], total: '5' };
      const history = defaultsRecorded(none, '5', 'a');
      for (const [total, ...groups] of [['6', 'a'], ['5', 'b'], ['5', 'a', 'b'], ['5']] as const)
        given(history)
          .when(recordDefaults(total, ...groups))
          .then(defaultsRecorded(before, total, ...groups));
    });
    it('leave rules and groups as they are', () => {
      given(ruleCreated(1, 'small'), groupCreated(7, 'staff'), defaultsRecorded(none, '5', 'staff'))
        .when(addRule('staff', 'small'))
        .then(ruleAdded(7, 'staff', 1, 'small'));
    });
    it('are not recorded again while they stay', () => {
      given(defaultsRecorded(none, '5', 'a', 'b'))
        .when(recordDefaults('5', 'a', 'b'))
        .then();
    });
  });

  it('keeps its laws whatever is asked: names are unique, groups hold rules that exist, ids are never swapped', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const id = fc.integer({ min: 1, max: 1_000_000 });
    const command = fc.oneof(
      fc.tuple(id, name).map(([id, name]) => createRule(id, name)),
      name.map(deleteRule),
      fc
        .tuple(id, name, fc.uniqueArray(fc.tuple(id, name), { selector: ([, rule]) => rule, maxLength: 3 }))
        .map(([id, group, rules]) => createGroup(id, group, ...rules.map(([id, name]) => rule(id, name)))),
      name.map(deleteGroup),
      fc.tuple(name, name).map(([group, name]) => addRule(group, name)),
      fc.tuple(name, name).map(([group, name]) => removeRule(group, name)),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let state = QuotaCatalogue.initialState;
        for (const command of commands) {
          for (const event of decideOrNothing(command, state)) state = QuotaCatalogue.evolve(state, event);
          const ruleIds = new Set([...state.rules.values()].map((rule) => rule.id));
          for (const [key, group] of state.groups) {
            expect(group.name).to.equal(key);
            expect([...group.ruleIds].every((ruleId) => ruleIds.has(ruleId))).to.equal(true);
          }
          for (const [key, rule] of state.rules) expect(rule.name).to.equal(key);
        }
      }),
    );
  });
});

function decideOrNothing(
  command: QuotaCatalogueCommand,
  state: typeof QuotaCatalogue.initialState,
): readonly QuotaCatalogueEvent[] {
  try {
    return QuotaCatalogue.decide(command, state);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
