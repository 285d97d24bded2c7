import { expect } from 'chai';
import { v4 } from 'uuid';
import { quotaInsights } from '../../../projections/quota/quota-insights.js';
import { schemaOf } from '../../../projections/projection.js';
import { CommandHandler } from '../../../src/commands/handle.js';
import { recordQuotaDefaults } from '../../../src/commands/quota/record-defaults.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import { sql } from '../../../src/database/sql.js';
import { buildAnew } from '../../projections/read-models.js';
import type { TestUser } from '../../support/api.js';
import type { UsageSubject } from '../../../src/domain/quota/subjects.js';
import { fresh, quotaApi } from './quota-api.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Series {
  readonly subjects: readonly string[];
  readonly points: readonly { readonly at: string; readonly used: number }[];
  readonly growth_per_day: number;
  readonly limits: readonly Record<string, unknown>[];
  readonly reached: readonly { readonly rule: string; readonly at: string | null }[];
}

describe('what accounts store over time', () => {
  const { api, alice } = quotaApi();
  let bob: TestUser;
  let group: string;

  const store = async (user: TestUser, subject: UsageSubject, bytes: bigint) => {
    const storage = new Storage({
      commands: new CommandHandler({ log: api().connections.log }),
      limited: true,
    });
    const context = { commandId: v4(), at: new Date().toISOString() };
    await storage.record(user.id, { objectId: '1', subject, bytes }, context);
    await api().shown();
  };
  /** What was stored so far counts as stored so many hours before. */
  const age = (hours: number) =>
    api().connections.db.rows({
      ...sql`update quota_usage_hours set hour = hour - ${hours}`,
      name: `age by ${hours}`,
      text: `update ${schemaOf(quotaInsights)}.quota_usage_hours set hour = hour - $1`,
    });
  const get = async (path: string) => {
    const { status, json, text } = await api().admin.get(path);
    expect(status, text).to.equal(200);
    return json;
  };
  const seriesOf = async (query = '', username = 'bob') =>
    (await get(`/admin/users/${username}/quota/usage?${query}`)) as { series: readonly Series[] };
  const seriesFor = async (query: string, ...subjects: string[]) =>
    (await seriesOf(query)).series.find((series) => series.subjects.join() === subjects.join());

  before(async () => {
    bob = await api().createUser('bob');
    group = fresh('group');
    const rules = [
      { name: `${group} all`, limit: 1_000, subjects: ['size:all'] },
      { name: `${group} both`, limit: 2_000, subjects: ['size:repos:public', 'size:git:lfs'] },
      { name: `${group} none`, limit: -1, subjects: ['size:all'] },
    ];
    expect((await api().admin.post('/admin/quota/groups', { name: group, rules })).status).to.equal(201);
    expect((await api().admin.put(`/admin/quota/groups/${group}/users/bob`)).status).to.equal(204);
    await store(bob, 'size:repos:public', 100n);
    await age(24);
    await store(bob, 'size:repos:public', 300n);
    await store(bob, 'size:git:lfs', 50n);
    await age(48);
    await store(bob, 'size:git:lfs', 100n);
  });

  it('are points by step, of everything, of each subject used, and of what each rule limits', async () => {
    const { series } = await seriesOf('step=1d');
    expect(series.map(({ subjects }) => subjects)).to.deep.equal([
      ['size:all'],
      ['size:repos:public'],
      ['size:git:lfs'],
      ['size:repos:public', 'size:git:lfs'],
    ]);
    const used = series.map(({ points }) => [...new Set(points.map((point) => point.used))]);
    expect(used).to.deep.equal([
      [0, 100, 350, 400],
      [0, 100, 300],
      [0, 50, 100],
      [0, 100, 350, 400],
    ]);
    for (const { points } of series)
      for (const [index, { at }] of points.slice(1, -1).entries())
        expect(Date.parse(at) - Date.parse(points[index]?.at ?? '')).to.equal(DAY_MS);
  });

  it('begin with what there was before', async () => {
    const since = new Date(Date.now() - 30 * HOUR_MS).toISOString();
    const all = await seriesFor(`since=${since}&step=6h`, 'size:all');
    expect([...new Set(all?.points.map((point) => point.used))]).to.deep.equal([350, 400]);
  });

  it('grow by so much a day, and reach a limit on a date', async () => {
    const all = await seriesFor('', 'size:all');
    expect(all?.growth_per_day).to.be.within(98, 102); // 300 bytes in three days, less than an hour apart
    const [{ rule, at } = { rule: '', at: '' }, ...others] = all?.reached ?? [];
    expect(others).to.deep.equal([]);
    expect(rule).to.equal(`${group} all`);
    expect((Date.parse(at ?? '') - Date.now()) / DAY_MS).to.be.within(5.8, 6.2);
  });

  it('are shown with the limits that applied, as long as they did', async () => {
    const all = await seriesFor('', 'size:all');
    expect(all?.limits).to.have.length(1);
    expect(all?.limits[0]).to.deep.include({ group, rule: `${group} all`, limit: 1_000, until: null });
    const rule = encodeURIComponent(`${group} all`);
    expect((await api().admin.patch(`/admin/quota/rules/${rule}`, { limit: 1_500 })).status).to.equal(200);
    const [before, after] = (await seriesFor('', 'size:all'))?.limits ?? [];
    expect(before).to.deep.include({ limit: 1_000, until: after?.from });
    expect(after).to.deep.include({ limit: 1_500, until: null });
  });

  it('are shown without the limits of before the account was there', async () => {
    const { admin } = api();
    const name = fresh('default');
    const limit = (bytes: number) =>
      admin.patch(`/admin/quota/rules/${encodeURIComponent(name)}`, { limit: bytes });
    const configure = (defaultTotal: bigint, ...defaultGroups: string[]) =>
      recordQuotaDefaults(
        new CommandHandler({ log: api().connections.log }),
        { defaultGroups, defaultTotal },
        { commandId: v4(), at: new Date().toISOString() },
      );
    const limitsOf = async (username: string) => (await seriesOf('', username)).series[0]?.limits ?? [];
    await configure(5_000n);
    await api().createUser('early');
    await configure(6_000n, name);
    await admin.post('/admin/quota/groups', {
      name,
      rules: [{ name, limit: 7_000, subjects: ['size:all'] }],
    });
    await limit(8_000);
    await api().createUser('late');
    await limit(9_000);
    await configure(-1n);
    await api().shown();
    const limits = async (username: string) => (await limitsOf(username)).map((each) => each.limit);
    expect(await limits('early')).to.deep.equal([5_000, 6_000, 7_000, 8_000, 9_000]);
    expect(await limits('late')).to.deep.equal([8_000, 9_000]);
    for (const { from } of await limitsOf('late'))
      expect(Date.now() - Date.parse(String(from))).below(DAY_MS);
  });

  it('rank accounts, the largest first, with their growth', async () => {
    await store(alice(), 'size:repos:private', 500n);
    const ranked = (await get('/admin/quota/consumers')) as readonly Record<string, unknown>[];
    expect(ranked.map(({ user, used }) => [(user as { name: string }).name, used])).to.deep.equal([
      ['alice', 500],
      ['bob', 400],
    ]);
    const all = await seriesFor('', 'size:all');
    expect(ranked[1]?.growth_per_day).to.be.within(98, 102);
    const rules = (ranked[1]?.reached as Series['reached']).map(({ rule }) => rule);
    expect(rules).to.deep.equal([`${group} all`, `${group} both`]);
    expect(all?.reached).to.have.length(1);
    const lfs = (await get('/admin/quota/consumers?subject=size:git:lfs&limit=1')) as unknown[];
    expect(lfs).to.have.length(1);
    expect(lfs[0]).to.deep.include({ user: { id: bob.id, name: 'bob' }, subject: 'size:git:lfs', used: 100 });
    for (const subject of ['none', 'size:assets:wiki', 'size:assets:all'])
      expect(await get(`/admin/quota/consumers?subject=${subject}`), subject).to.deep.equal([]);
  });

  it('are asked for by administrators alone, in so many steps, of a period that there is', async () => {
    const path = '/admin/users/bob/quota/usage';
    for (const asked of [path, '/admin/quota/consumers']) {
      expect((await api().anonymous.get(asked)).status).to.equal(401);
      expect((await bob.get(asked)).status).to.equal(403);
    }
    expect((await api().admin.get('/admin/users/nobody/quota/usage')).status).to.equal(404);
    for (const query of [
      'step=1m',
      'step=0h',
      'since=yesterday',
      'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
      'since=2999-01-01T00:00:00Z',
      'since=2000-01-01T00:00:00Z&step=1h',
    ])
      expect((await api().admin.get(`${path}?${query}`)).status, query).to.equal(422);
    expect((await api().admin.get('/admin/quota/consumers?subject=all')).status).to.equal(422);
    for (const empty of [`${path}?since=&until=&step=`, '/admin/quota/consumers?subject=&since='])
      expect((await api().admin.get(empty)).status, empty).to.equal(200);
  });

  it('are told as of any moment as they were told then', async () => {
    const carol = await api().createUser('carol');
    const told = async (username: string, moment: string) => {
      const ranked = (await get(`/admin/quota/consumers?${moment}`)) as readonly Record<string, unknown>[];
      const [series] = (await seriesOf(moment, username)).series;
      return {
        ranked: ranked.map(({ user, used, reached }) => [user, used, (reached as unknown[]).length]),
        used: series?.points.at(-1)?.used,
        limits: series?.limits,
      };
    };
    const then: (readonly [position: bigint, username: string, told: unknown])[] = [];
    const remember = async (username = 'carol') =>
      then.push([await api().connections.log.lastPosition(), username, await told(username, '')]);
    await remember();
    await store(carol, 'size:repos:public', 900n);
    await remember();
    expect((await api().admin.put(`/admin/quota/groups/${group}/users/carol`)).status).to.equal(204);
    await remember();
    await store(carol, 'size:repos:public', 150n);
    await remember();
    await api().admin.post('/admin/users/carol/rename', { new_username: 'caroline' });
    await store(carol, 'size:repos:public', 0n);
    await remember('caroline');
    expect((await api().admin.delete('/admin/users/caroline')).status).to.equal(204);
    await api().shown();
    for (const [position, username, answers] of then)
      expect(await told(username, `as_of=${position}`), `as of ${position}`).to.deep.equal(answers);
    const [, , most] = then[1] ?? expect.fail('nothing was told');
    expect(most).to.deep.include({ used: 900 });
    expect(most).to.have.deep.nested.property('ranked[0]', [{ id: carol.id, name: 'carol' }, 900, 0]);
  });

  it('grow as of a moment by what they had grown by then', async () => {
    const dave = await api().createUser('dave');
    await store(dave, 'size:repos:public', 240n);
    await age(24);
    await store(dave, 'size:repos:public', 1_240n);
    const position = await api().connections.log.lastPosition();
    const at = await api().connections.log.timeAt(position);
    await store(dave, 'size:repos:public', 9_000n);
    const ranked = (await get(`/admin/quota/consumers?as_of=${position}`)) as readonly {
      readonly used: number;
      readonly growth_per_day: number;
    }[];
    const [first] = ranked;
    expect(first).to.deep.include({ used: 1_240 });
    // In the 23 to 24 hours since the first was over, or one more where the next one begins before the second write.
    expect(first?.growth_per_day).to.be.within(960, 1_050);
    const [all] = (await seriesOf(`as_of=${position}`, 'dave')).series;
    expect(all?.points.at(-1)).to.deep.equal({ at: at.toISOString(), used: 1_240 });
    expect(all?.growth_per_day).to.equal(first?.growth_per_day);
    await store(dave, 'size:repos:public', 0n);
  });

  it('are those of an account of then, of a period that was over', async () => {
    const { log } = api().connections;
    const usage = (query: string) => api().admin.get(`/admin/users/bob/quota/usage?${query}`);
    expect((await usage('as_of=0')).status).to.equal(404);
    const now = await log.lastPosition();
    const later = new Date((await log.timeAt(now)).getTime() + 2 * HOUR_MS).toISOString();
    expect((await usage(`as_of=${now}&since=${later}`)).status).to.equal(422);
    expect(await get('/admin/quota/consumers?as_of=0')).to.deep.equal([]);
  });

  it('go with an account that is deleted', async () => {
    const { status } = await api().admin.delete('/admin/users/bob');
    expect(status).to.equal(204);
    const ranked = (await get('/admin/quota/consumers')) as readonly { user: unknown }[];
    expect(ranked.map(({ user }) => user)).to.deep.equal([{ id: alice().id, name: 'alice' }]);
  });

  it('are of the hours of the log again when they are built anew', async () => {
    await buildAnew(api(), [quotaInsights]);
    const [all] = (await seriesOf('step=1h', 'alice')).series;
    expect([...new Set(all?.points.map(({ used }) => used))]).to.deep.equal([0, 500]);
  });
});
