import { expect } from 'chai';
import { Map } from 'immutable';
import { groupsOf, quotaGroups } from '../../../src/domain/quota/groups.js';
import { QuotaCatalogue, type QuotaCatalogueCommand } from '../../../src/domain/quota/quota-catalogue.js';

const at = '2026-01-01T00:00:00Z';

describe('the quota groups of an account', () => {
  const catalogueOf = (commands: readonly QuotaCatalogueCommand[]) =>
    commands.reduce(
      (before, command) =>
        QuotaCatalogue.decide(command, before).reduce(
          (state, event) => QuotaCatalogue.evolve(state, event),
          before,
        ),
      QuotaCatalogue.initialState,
    );
  const group = (id: number, ...rules: readonly number[]): QuotaCatalogueCommand => ({
    type: 'CreateQuotaGroup',
    data: {
      id,
      name: `group ${id}`,
      rules: rules.map((rule) => ({ id: rule, name: `rule ${rule}`, limit: '1', subjects: ['size:all'] })),
      at,
    },
  });
  const defaults = (...groups: readonly string[]): QuotaCatalogueCommand => ({
    type: 'RecordQuotaDefaults',
    data: { groups, total: '7', at },
  });
  const namesOf = (groups: ReturnType<typeof quotaGroups>) =>
    groups.map(({ name, rules }) => [name, rules.map((rule) => rule.name)]);

  it('are those that it is in, and the configured ones, by name as their rules are', () => {
    const catalogue = catalogueOf([group(2, 3, 1), group(1), group(3, 2), defaults('group 1', 'gone')]);
    const { own, defaults: configured } = groupsOf(catalogue, {
      groups: Map([
        [3, ''],
        [2, ''],
        [9, ''],
      ]),
    });
    expect(namesOf(own)).to.deep.equal([
      ['group 2', ['rule 1', 'rule 3']],
      ['group 3', ['rule 2']],
    ]);
    expect(namesOf(configured.groups)).to.deep.equal([['group 1', []]]);
    expect(configured.total).to.equal(7n);
    expect(namesOf(quotaGroups(catalogue)).map(([name]) => name)).to.deep.equal([
      'group 1',
      'group 2',
      'group 3',
    ]);
  });

  it('are listed once for each state of the catalogue', () => {
    const joined = { groups: Map([[7, '']]) };
    const before = catalogueOf([group(7, 7), group(8, 8)]);
    const [listed] = groupsOf(before, joined).own;
    expect(groupsOf(before, joined).own[0]).to.equal(listed);
    const edited = { type: 'EditQuotaRule', data: { name: 'rule 7', limit: '2', at } } as const;
    const after = QuotaCatalogue.decide(edited, before).reduce(
      (state, event) => QuotaCatalogue.evolve(state, event),
      before,
    );
    expect(groupsOf(after, joined).own[0]?.rules[0]?.limit).to.equal(2n);
    expect(groupsOf(before, joined).own[0]).to.equal(listed);
  });

  it('are found without looking at the other groups’ rules', () => {
    const { groups, ...others } = catalogueOf([group(7, 7), group(8, 8)]);
    const closed = groups.map((each) => (each.id === 7 ? each : { id: each.id, name: each.name }));
    const { own } = groupsOf(
      { groups: closed as unknown as typeof groups, ...others },
      { groups: Map([[7, '']]) },
    );
    expect(namesOf(own)).to.deep.equal([['group 7', ['rule 7']]]);
  });
});
