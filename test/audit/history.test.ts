import { expect } from 'chai';
import { v4 } from 'uuid';
import { CommandHandler } from '../../src/commands/handle.js';
import { recordQuotaDefaults } from '../../src/commands/quota/record-defaults.js';
import { ADMIN, startApi, type TestApi, type TestToken } from '../support/api.js';

interface Change {
  readonly position: number;
  readonly event_id: string;
  readonly type: string;
  readonly at: string;
  readonly request_id: string;
  readonly [field: string]: unknown;
}

/** What the log gives each change. */
const OF_THE_EVENT = ['position', 'event_id', 'at'];

describe('the history of quotas', () => {
  let api: TestApi;
  let carol: TestToken;
  let alice: number;
  let actor: { id: number; name: string };
  const history = async (
    query = '',
    client: Pick<TestApi['admin'], 'get'> = api.admin,
  ): Promise<Change[]> => {
    const { status, json, text } = await client.get(`/admin/quota/history?${query}`);
    expect(status, text).to.equal(200);
    return json as Change[];
  };
  const types = async (query: string) => (await history(query)).map(({ type }) => type);

  before(async () => {
    api = await startApi();
    alice = (await api.createUser('alice')).id;
    await api.createUser('Bob');
    await api.createUser('carol', {});
    actor = { id: 1, name: ADMIN.username };
    carol = await api.createToken(ADMIN.username, 'read:admin');

    const { admin } = api;
    const requests: readonly (readonly [string, string, unknown?])[] = [
      ['POST', '/admin/quota/rules', { name: 'small', limit: 10, subjects: ['size:all'] }],
      ['PATCH', '/admin/quota/rules/small', { limit: 20 }],
      ['POST', '/admin/quota/groups', { name: 'blue', rules: [{ name: 'small' }] }],
      ['PUT', '/admin/quota/groups/blue/users/alice'],
      ['POST', '/admin/users/Bob/quota/groups', { groups: ['blue'] }],
      ['DELETE', '/admin/quota/groups/blue/users/alice'],
      ['DELETE', '/admin/quota/groups/blue/rules/small'],
      ['DELETE', '/admin/quota/groups/blue'],
      ['DELETE', '/admin/quota/rules/small'],
    ];
    for (const [index, [method, path, body]] of requests.entries()) {
      const { status, text } = await admin.send(method, path, body, { 'x-request-id': `request-${index}` });
      expect(status, text).to.be.lessThan(300);
    }
  });
  after(() => api.stop());

  it('tells every change with what was before and after, newest first', async () => {
    const rule = (limit: number) => ({ name: 'small', limit, subjects: ['size:all'] });
    const small = { groups: [], rules: ['small'], user: null };
    const both = { groups: ['blue'], rules: ['small'], user: null };
    const change = (fields: object) => ({ before: null, after: null, actor, ...fields });
    const member = (name: string, id: number) => ({ groups: ['blue'], rules: [], user: { id, name } });
    const told = (await history()).map((change) =>
      Object.fromEntries(Object.entries(change).filter(([name]) => !OF_THE_EVENT.includes(name))),
    );
    const bob = ((await api.admin.get('/users/bob')).json as { id: number }).id;
    expect(told.reverse()).to.deep.equal([
      change({ ...small, type: 'QuotaRuleCreated', request_id: 'request-0', after: rule(10) }),
      change({
        ...small,
        type: 'QuotaRuleEdited',
        request_id: 'request-1',
        before: rule(10),
        after: rule(20),
      }),
      change({
        ...{ groups: ['blue'], rules: [], user: null },
        ...{ type: 'QuotaGroupCreated', request_id: 'request-2', after: { name: 'blue' } },
      }),
      change({
        ...both,
        ...{
          type: 'RuleAddedToQuotaGroup',
          request_id: 'request-2',
          after: { group: 'blue', rule: 'small' },
        },
      }),
      change({
        ...member('alice', alice),
        ...{ type: 'AddedToQuotaGroup', request_id: 'request-3', after: { group: 'blue' } },
      }),
      change({
        ...member('Bob', bob),
        ...{ type: 'AddedToQuotaGroup', request_id: 'request-4', after: { group: 'blue' } },
      }),
      change({
        ...member('alice', alice),
        ...{ type: 'RemovedFromQuotaGroup', request_id: 'request-5', before: { group: 'blue' } },
      }),
      change({
        ...both,
        ...{
          type: 'RuleRemovedFromQuotaGroup',
          request_id: 'request-6',
          before: { group: 'blue', rule: 'small' },
        },
      }),
      change({
        ...{ groups: ['blue'], rules: [], user: null },
        ...{ type: 'QuotaGroupDeleted', request_id: 'request-7', before: { name: 'blue', rules: [] } },
      }),
      change({ ...small, type: 'QuotaRuleDeleted', request_id: 'request-8', before: rule(20) }),
    ]);
  });

  it('names each change by the event in the log, and tells its time by the log’s clock', async () => {
    const changes = new Map((await history()).map((change) => [change.position, change]));
    const found: number[] = [];
    for await (const { events, caughtUp } of api.connections.log.subscribe(0n, {
      signal: AbortSignal.timeout(60_000),
    })) {
      for (const { id, position, type, recordedAt } of events) {
        const change = changes.get(Number(position));
        if (!change) continue;
        expect(change).to.deep.include({ event_id: id, type, at: recordedAt.toISOString() });
        found.push(change.position);
      }
      if (caughtUp) break;
    }
    expect(found).to.deep.equal([...changes.keys()].reverse());
  });

  it('is told for one user, in any letter case, one group or one rule, those that are gone included', async () => {
    expect(await types('user=ALICE')).to.deep.equal(['RemovedFromQuotaGroup', 'AddedToQuotaGroup']);
    expect(await types('user=nobody')).to.deep.equal([]);
    expect(await types('rule=small')).to.deep.equal([
      'QuotaRuleDeleted',
      'RuleRemovedFromQuotaGroup',
      'RuleAddedToQuotaGroup',
      'QuotaRuleEdited',
      'QuotaRuleCreated',
    ]);
    expect(await types('group=blue')).to.have.lengthOf(7);
    expect(await types('group=Blue')).to.deep.equal([]);
    expect(await types('group=blue&rule=small&user=alice')).to.deep.equal([]);
  });

  it('is told from one time to another, both included', async () => {
    const all = await history();
    const since = all[6]?.at ?? '';
    const until = all[2]?.at ?? '';
    const expected = all.filter(({ at }) => at >= since && at <= until).map(({ position }) => position);
    const told = await history(`since=${since}&until=${until}`);
    expect(told.map(({ position }) => position)).to.deep.equal(expected);
    expect(await history('until=2001-01-01T00:00:00Z')).to.deep.equal([]);
  });

  it('is not narrowed by what is left empty, and takes a blank for the plus of an offset', async () => {
    const all = await types('');
    expect(await types('user=&group=&rule=&since=&until=&page=&limit=')).to.deep.equal(all);
    expect(await types('since=2001-01-01T00:00:00+02:00&until=2999-01-01T00:00:00+02:00')).to.deep.equal(all);
  });

  it('keeps its pages while changes arrive', async () => {
    const expected = (await history()).map(({ position }) => position);
    const told: number[] = [];
    const base = `${api.url()}/api/v1`;
    let path: string | undefined = '/admin/quota/history?limit=3';
    for (let rule = 0; path !== undefined; rule += 1) {
      const { json, headers } = await api.admin.get(path);
      told.push(...(json as Change[]).map(({ position }) => position));
      expect(headers.get('x-total-count')).to.equal(String(expected.length));
      const name = `meanwhile ${rule}`;
      await api.admin.post('/admin/quota/rules', { name, limit: 1, subjects: ['none'] });
      path = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.replace(base, '');
    }
    expect(told).to.deep.equal(expected);
    expect((await history('limit=1'))[0]?.position).to.be.greaterThan(expected[0] ?? 0);
  });

  it('tells of the defaults under each group that they name or named', async () => {
    const { log } = api.connections;
    for (const defaultGroups of [['blue'], ['green', 'blue'], ['green'], []]) {
      const configured = { defaultGroups, defaultTotal: -1n };
      const context = { commandId: v4(), at: new Date().toISOString() };
      await recordQuotaDefaults(new CommandHandler({ log }), configured, context);
    }
    await api.shown();
    const recorded = async (query: string) =>
      (await history(query))
        .filter(({ type }) => type === 'QuotaDefaultsRecorded')
        .map(({ groups }) => groups)
        .reverse();
    const [first, second, third, fourth] = [['blue'], ['blue', 'green'], ['green', 'blue'], ['green']];
    expect(await recorded('group=blue')).to.deep.equal([first, second, third]);
    expect(await recorded('group=green')).to.deep.equal([second, third, fourth]);
  });

  it('is for site administrators, and their tokens that may read', async () => {
    expect((await api.anonymous.get('/admin/quota/history')).status).to.equal(401);
    const user = api.as({ username: 'carol', password: 'correct horse' });
    expect((await user.get('/admin/quota/history')).status).to.equal(403);
    expect((await carol.get('/admin/quota/history')).status).to.equal(200);
    const other = await api.createToken(ADMIN.username, 'read:user');
    expect((await other.get('/admin/quota/history')).status).to.equal(403);
  });

  for (const query of ['since=yesterday', 'until=2026-01-01', 'as_of=never', 'since=2026-02-30T00:00:00Z'])
    it(`refuses ${query}`, async () => {
      expect((await api.admin.get(`/admin/quota/history?${query}`)).status).to.equal(422);
    });
});
