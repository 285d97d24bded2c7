import { expect } from 'chai';
import { fresh, JSON_TYPE, quotaApi } from './quota-api.js';

const GROUPS = '/admin/quota/groups';
const RULES = '/admin/quota/rules';

describe('quota groups', () => {
  const { api, alice } = quotaApi();
  const create = (body: unknown) => api().admin.post(GROUPS, body, JSON_TYPE);
  const createGroup = async (rules: readonly object[] = []) => {
    const name = fresh('group');
    expect((await create({ name, rules })).status).to.equal(201);
    return name;
  };
  const createRule = async (fields: object = {}) => {
    const rule = { name: fresh('rule'), limit: 10, subjects: ['size:all'], ...fields };
    expect((await api().admin.post(RULES, rule)).status).to.equal(201);
    return rule;
  };
  const ruleNames = async () =>
    ((await api().admin.get(RULES)).json as { name: string }[]).map(({ name }) => name);

  describe('creating one', () => {
    it('is for administrators', async () => {
      expect((await api().anonymous.post(GROUPS, {})).status).to.equal(401);
      expect((await alice().post(GROUPS, {})).status).to.equal(403);
    });

    it('reuses rules that exist unchanged, creates the others, and answers with all of them by name', async () => {
      const existing = await createRule({ limit: 99 });
      const [name, b, a] = [fresh('group'), fresh('rule b'), fresh('rule a')];
      const answer = await create({
        name,
        rules: [
          { name: b, subjects: ['size:git:all'] },
          { name: existing.name, limit: -7, subjects: ['not looked at'] },
          { name: a, limit: 3 },
        ],
      });
      const rules = [
        { name: b, limit: 0, subjects: ['size:git:all'] },
        existing,
        { name: a, limit: 3, subjects: [] },
      ].sort((left, right) => (left.name < right.name ? -1 : 1));
      expect([answer.status, answer.json]).to.deep.equal([201, { name, rules }]);
      expect((await api().admin.get(`${GROUPS}/${name}`)).json).to.deep.equal({ name, rules });
      expect((await api().admin.get(`${RULES}/${existing.name}`)).json).to.deep.equal(existing);
    });

    for (const rules of [undefined, null, []]) {
      it(`takes ${JSON.stringify(rules)} for no rules`, async () => {
        const name = fresh('group');
        expect((await create({ name, rules })).json).to.deep.equal({ name, rules: [] });
      });
    }

    for (const [why, rules] of [
      [
        'a subject that is not known, in the last rule',
        [{ name: 'new one' }, { name: 'new two', subjects: ['?'] }],
      ],
      ['a limit below -1', [{ name: 'new one' }, { name: 'new two', limit: -2 }]],
      ['a rule twice', [{ name: 'new one' }, { name: 'new one' }]],
      ['a rule without a name', [{ name: 'new one' }, {}]],
      ['a rule that is null', [{ name: 'new one' }, null]],
      ['rules that are no list', 'new one'],
    ] as const) {
      it(`refuses ${why} and stores nothing`, async () => {
        const name = fresh('group');
        const answer = await create({ name, rules });
        expect(answer.status).to.equal(422);
        expect((await api().admin.get(`${GROUPS}/${name}`)).status).to.equal(404);
        expect(await ruleNames()).not.to.include('new one');
      });
    }

    it('refuses a name that is taken before it looks at the rules', async () => {
      const name = await createGroup();
      expect((await create({ name, rules: [{ name: 'new one', subjects: ['?'] }] })).status).to.equal(409);
      expect(await ruleNames()).not.to.include('new one');
    });

    for (const body of [undefined, 'null', {}, { name: '' }, { name: null }, { name: 5 }]) {
      it(`refuses ${JSON.stringify(body)}`, async () => {
        const answer = await create(body);
        expect([answer.status, answer.message.slice(0, 7)]).to.deep.equal([422, '[Name]:']);
      });
    }

    it('refuses more rules than one append can hold, and stores nothing', async () => {
      const name = fresh('group');
      const rules = (length: number, text: string) =>
        Array.from({ length }, (_, index) => ({ name: `new one ${index} ${text}` }));
      const tooLong = await create({ name, rules: rules(1_000, '🧱'.repeat(230)) });
      expect([tooLong.status, tooLong.message]).to.deep.equal([
        422,
        'this is more than can be stored at once: split it into several requests',
      ]);
      const tooMany = await create({ name, rules: rules(1_001, '') });
      expect([tooMany.status, tooMany.message]).to.deep.equal([422, '[Rules]: at most 1000 at a time']);
      expect((await api().admin.get(`${GROUPS}/${name}`)).status).to.equal(404);
    });

    it('lets one of many at once win, and stores nothing of the others', async () => {
      const name = fresh('group');
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, index) =>
          create({ name, rules: [{ name: `${name} rule ${index}` }] }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array<number>(31).fill(409)]);
      expect((await ruleNames()).filter((rule) => rule.startsWith(`${name} rule`))).to.have.lengthOf(1);
    });
  });

  describe('rules in one', () => {
    const path = (group: string, rule: string) => `${GROUPS}/${group}/rules/${rule}`;

    it('are added once', async () => {
      const [group, rule] = [await createGroup(), await createRule()];
      expect((await api().admin.put(path(group, rule.name))).status).to.equal(204);
      expect((await api().admin.put(path(group, rule.name))).status).to.equal(409);
      expect((await api().admin.get(`${GROUPS}/${group}`)).json).to.deep.equal({
        name: group,
        rules: [rule],
      });
    });

    it('must exist, and the group first', async () => {
      const group = await createGroup();
      expect((await api().admin.put(path(group, 'none'))).status).to.equal(422);
      expect((await api().admin.put(path('none', 'none'))).status).to.equal(404);
    });

    it('are removed where they are in it', async () => {
      const rule = await createRule();
      const group = await createGroup([rule]);
      expect((await api().admin.delete(path('none', rule.name))).status).to.equal(404);
      expect((await api().admin.delete(path(group, 'none'))).status).to.equal(404);
      expect((await api().admin.delete(path(group, rule.name))).status).to.equal(204);
      expect((await api().admin.delete(path(group, rule.name))).status).to.equal(404);
      expect((await api().admin.get(`${RULES}/${rule.name}`)).status).to.equal(200);
    });
  });

  describe('deleting one', () => {
    it('keeps its rules, ends its memberships and frees its name', async () => {
      const rule = await createRule();
      const group = await createGroup([rule]);
      await api().admin.put(`${GROUPS}/${group}/users/alice`);
      expect((await api().admin.delete(`${GROUPS}/${group}`)).status).to.equal(204);
      expect((await api().admin.delete(`${GROUPS}/${group}`)).status).to.equal(404);
      expect((await api().admin.get(`${RULES}/${rule.name}`)).json).to.deep.equal(rule);
      expect((await create({ name: group })).status).to.equal(201);
      expect((await api().admin.get(`${GROUPS}/${group}/users`)).json).to.deep.equal([]);
      expect((await api().admin.put(`${GROUPS}/${group}/users/alice`)).status).to.equal(204);
    });
  });

  it('are listed by name with their rules', async () => {
    const list = (await api().admin.get(GROUPS)).json as { name: string; rules: unknown[] }[];
    const names = list.map(({ name }) => name);
    expect(names).to.deep.equal([...names].sort());
    for (const group of list) {
      expect((await api().admin.get(`${GROUPS}/${encodeURIComponent(group.name)}`)).json).to.deep.equal(
        group,
      );
    }
  });
});
