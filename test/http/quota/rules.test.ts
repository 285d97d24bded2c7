import { expect } from 'chai';
import { CommandHandler } from '../../../src/commands/handle.js';
import { QUOTA_CATALOGUE, QuotaCatalogue } from '../../../src/domain/quota/quota-catalogue.js';
import { v4 } from 'uuid';
import { fresh, JSON_TYPE, quotaApi } from './quota-api.js';

const RULES = '/admin/quota/rules';
const one = (name: string) => `${RULES}/${encodeURIComponent(name)}`;

describe('quota rules', () => {
  const { api, alice } = quotaApi();
  const create = (body: unknown) => api().admin.post(RULES, body, JSON_TYPE);
  const created = async (fields: object = {}) => {
    const rule = { name: fresh('rule'), limit: 10, subjects: ['size:all'], ...fields };
    expect((await create(rule)).status).to.equal(201);
    return rule;
  };

  describe('creating one', () => {
    it('asks for a sign-in first', async () => {
      const answer = await api().anonymous.post(RULES, {});
      expect(answer.status).to.equal(401);
      expect(answer.headers.get('www-authenticate')).to.match(/^Basic/);
    });

    it('refuses wrong credentials', async () => {
      expect((await api().as({ username: 'root', password: 'wrong' }).post(RULES, {})).status).to.equal(401);
    });

    it('is for administrators, who alone learn whether the body is good', async () => {
      expect((await alice().post(RULES, { name: '' })).status).to.equal(403);
    });

    for (const [why, body, field] of [
      ['no body at all', undefined, 'Name'],
      ['null', null, 'Name'],
      ['no name', { limit: 1, subjects: [] }, 'Name'],
      ['an empty name', { name: '', limit: 1, subjects: [] }, 'Name'],
      ['a name of 256 characters', { name: 'x'.repeat(256), limit: 1, subjects: [] }, 'Name'],
      ['a control character in the name', { name: 'a\u0007', limit: 1, subjects: [] }, 'Name'],
      ['half a surrogate pair in the name', { name: 'a\ud800', limit: 1, subjects: [] }, 'Name'],
      ['no limit', { name: 'x', subjects: [] }, 'Limit'],
      ['a null limit', { name: 'x', limit: null, subjects: [] }, 'Limit'],
      ['a limit that is text', { name: 'x', limit: '1', subjects: [] }, 'Limit'],
      ['a limit that is no integer', { name: 'x', limit: 1.5, subjects: [] }, 'Limit'],
      ['a limit below -1', { name: 'x', limit: -2, subjects: [] }, 'Limit'],
      ['no subjects', { name: 'x', limit: 1 }, 'Subjects'],
      ['subjects that are no list', { name: 'x', limit: 1, subjects: 'size:all' }, 'Subjects'],
      [
        'a subject that is not known',
        { name: 'x', limit: 1, subjects: ['size:all', 'SIZE:ALL'] },
        'Subjects',
      ],
    ] as const) {
      it(`refuses ${why} and stores nothing`, async () => {
        const before = (await api().admin.get(RULES)).text;
        const answer = await create(body === null ? 'null' : body);
        expect([answer.status, answer.message.slice(0, field.length + 3)]).to.deep.equal([
          422,
          `[${field}]:`,
        ]);
        expect((await api().admin.get(RULES)).text).to.equal(before);
      });
    }

    it('refuses a limit beyond 64 bits', async () => {
      const answer = await create('{"name":"x","limit":9223372036854775808,"subjects":[]}');
      expect(answer.status).to.equal(422);
    });

    it('refuses a name that is taken, after looking at the rest', async () => {
      const { name } = await created();
      expect((await create({ name, limit: 1, subjects: [] })).status).to.equal(409);
      expect((await create({ name, limit: 1, subjects: ['no such'] })).status).to.equal(422);
    });

    it('answers with the rule, 64-bit limits digit for digit', async () => {
      const name = fresh('rule');
      const answer = await create(
        `{"name":${JSON.stringify(name)},"limit":9007199254740993,"subjects":["size:all"]}`,
      );
      expect([answer.status, answer.json]).to.deep.equal([
        201,
        { name, limit: 9007199254740993n, subjects: ['size:all'] },
      ]);
      expect((await api().admin.get(one(name))).json).to.deep.equal(answer.json);
    });

    it('takes null for no subjects, and a subject twice for once', async () => {
      const name = fresh('rule');
      const subjects = ['size:git:lfs', 'size:all', 'size:git:lfs'];
      expect((await create({ name, limit: 0, subjects: null })).json).to.deep.equal({
        name,
        limit: 0,
        subjects: [],
      });
      const second = await create({ name: `${name} b`, limit: -1, subjects });
      expect(second.json).to.deep.equal({
        name: `${name} b`,
        limit: -1,
        subjects: ['size:git:lfs', 'size:all'],
      });
    });

    it('keeps names as they are, slashes and letter case included', async () => {
      const { name } = await created({ name: `Ä/b ${fresh('rule')} %2F` });
      expect((await api().admin.get(one(name))).json).to.include({ name });
      expect((await api().admin.get(one(name.toLowerCase()))).status).to.equal(404);
    });

    it('lets one of many at once win', async () => {
      const name = fresh('rule');
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, limit) => create({ name, limit, subjects: [] })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array<number>(31).fill(409)]);
    });
  });

  describe('editing one', () => {
    it('says that there is none before it looks at the body', async () => {
      expect((await api().admin.patch(one('no such'), { subjects: ['bad'] })).status).to.equal(404);
    });

    it('changes what is given and leaves the rest', async () => {
      const { name } = await created({ limit: 5, subjects: ['size:all'] });
      expect((await api().admin.patch(one(name), { limit: 7 })).json).to.deep.equal({
        name,
        limit: 7,
        subjects: ['size:all'],
      });
      expect((await api().admin.patch(one(name), { subjects: [] })).json).to.deep.equal({
        name,
        limit: 7,
        subjects: [],
      });
    });

    it('changes nothing for {}, null or no body', async () => {
      const { name, ...rest } = await created();
      for (const body of [{}, 'null', '', { limit: null, subjects: null }]) {
        const answer = await api().admin.patch(one(name), body, JSON_TYPE);
        expect([answer.status, answer.json]).to.deep.equal([200, { name, ...rest }]);
      }
    });

    for (const body of [
      { limit: -2 },
      { limit: 'x' },
      { subjects: ['no such'] },
      { limit: 1, subjects: [''] },
    ]) {
      it(`refuses ${JSON.stringify(body)} and changes nothing`, async () => {
        const rule = await created();
        expect((await api().admin.patch(one(rule.name), body)).status).to.equal(422);
        expect((await api().admin.get(one(rule.name))).json).to.deep.equal(rule);
      });
    }
  });

  describe('deleting one', () => {
    it('takes it out of every group and frees its name', async () => {
      const { name } = await created();
      const group = fresh('group');
      await api().admin.post('/admin/quota/groups', { name: group, rules: [{ name }] });
      expect((await api().admin.delete(one(name))).status).to.equal(204);
      expect((await api().admin.get(`/admin/quota/groups/${group}`)).json).to.deep.equal({
        name: group,
        rules: [],
      });
      expect((await api().admin.delete(one(name))).status).to.equal(404);
      await created({ name });
      expect((await api().admin.get(`/admin/quota/groups/${group}`)).json).to.deep.equal({
        name: group,
        rules: [],
      });
    });

    it('takes it out of more groups than one append holds', async () => {
      const longest = (text: string) => text + '\u{1F4BE}'.repeat(255 - text.length);
      const { name } = await created({ name: longest(fresh('rule')) });
      const commands = new CommandHandler({ log: api().connections.log });
      for (let id = 1_000_000; id < 1_000_501; id += 1) {
        const at = new Date().toISOString();
        const rules = [{ id, name, limit: '0', subjects: [] }];
        const data = { id, name: longest(`group ${id} `), rules, at };
        await commands.handle(
          QuotaCatalogue,
          QUOTA_CATALOGUE,
          { type: 'CreateQuotaGroup', data },
          { commandId: v4(), at },
        );
      }
      await api().shown();
      const key = { 'idempotency-key': v4() };
      for (const attempt of ['first', 'repeated'])
        expect((await api().admin.delete(one(name), undefined, key)).status, attempt).to.equal(204);
      const groups = (await api().admin.get('/admin/quota/groups')).json as readonly { rules: unknown }[];
      expect(groups.filter(({ rules }) => JSON.stringify(rules) !== '[]')).to.deep.equal([]);
      const { json } = await api().admin.get(`/admin/quota/history?rule=${encodeURIComponent(name)}&limit=1`);
      expect(json).to.have.nested.property('[0].type', 'QuotaRuleDeleted');
    });
  });

  it('are listed by name', async () => {
    await created({ name: 'zz' });
    await created({ name: 'Z' });
    await created({ name: 'a' });
    const names = ((await api().admin.get(RULES)).json as { name: string }[]).map(({ name }) => name);
    expect(names).to.deep.equal([...names].sort());
  });
});
