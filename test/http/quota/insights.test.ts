import { expect } from 'chai';
import { v4 } from 'uuid';
import { quotaInsights } from '../../../projections/quota/quota-insights.js';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import { buildAnew, rowsOf } from '../../projections/read-models.js';
import { fresh, quotaApi } from './quota-api.js';

const PUBLIC = 'size:repos:public';
const context = () => ({ commandId: v4(), at: new Date().toISOString() });

describe('what administrators see of quotas', () => {
  const { api, alice } = quotaApi();

  const limited = async (limit: number, username: string) => {
    const name = fresh('group');
    const body = { name, rules: [{ name: `${name} rule`, limit, subjects: ['size:all'] }] };
    expect((await api().admin.post('/admin/quota/groups', body)).status).to.equal(201);
    expect((await api().admin.put(`/admin/quota/groups/${name}/users/${username}`)).status).to.equal(204);
    return name;
  };
  const store = async (accountId: number, bytes: bigint) => {
    const storage = new Storage({
      commands: new CommandHandler({ log: api().connections.log }),
      limited: true,
    });
    await storage.record(accountId, { objectId: '1', subject: PUBLIC, bytes }, context());
    await api().shown();
  };
  const list = async (path: string) => {
    await api().admin.get(path); // whoever asks has that recorded which was only counted
    await api().shown();
    const { status, json, text } = await api().admin.get(path);
    expect(status, text).to.equal(200);
    return json as readonly Record<string, unknown>[];
  };
  const repositoryName = () => fresh('repository').replace(' ', '-');

  it('is who was refused, how often and why', async () => {
    const group = await limited(0, 'alice');
    const reasons: unknown[] = [];
    for (let time = 0; time < 3; time += 1) {
      const { status, json } = await alice().post('/user/repos', { name: repositoryName() });
      expect(status).to.equal(413);
      reasons.push((json as { reason: unknown }).reason);
    }
    const rows = await list('/admin/quota/refusals?user=ALICE');
    const counts = rows.map(({ count }) => count as number);
    expect(counts.reduce((sum, count) => sum + count)).to.equal(3);
    const person = { id: alice().id, name: 'alice' };
    expect(rows[0]).to.deep.include({ user: person, subject: PUBLIC, actor: person });
    const { explain, ...last } = rows[0]?.last as Record<string, unknown>;
    const { explain: told, ...reason } = reasons.at(-1) as Record<string, unknown>;
    expect(last).to.deep.equal(reason);
    expect(reason).to.deep.include({ group, rule: `${group} rule` });
    const [path, toldPath] = [explain, told].map((address) => String(address).replace(/^.*\/api\/v1/, ''));
    expect(path).to.equal(toldPath);
    expect((await api().admin.get(path ?? '')).json).to.deep.include({ allowed: false });
    await api().admin.post('/admin/users/alice/quota/groups', { groups: [] });
  });

  it('is narrowed by account and time, in pages', async () => {
    const { json, headers } = await api().admin.get('/admin/quota/refusals?limit=1');
    expect(json).to.have.length(1);
    expect(Number(headers.get('x-total-count'))).to.be.greaterThan(0);
    const [{ minute } = { minute: '' }] = json as readonly { minute: string }[];
    const later = new Date(Date.parse(minute) + 60_000).toISOString();
    expect(await list(`/admin/quota/refusals?since=${later}`)).to.deep.equal([]);
    expect(await list(`/admin/quota/refusals?since=${minute}&until=${minute}`)).to.have.length(1);
    expect(await list('/admin/quota/refusals?user=nobody')).to.deep.equal([]);
    expect((await api().admin.get('/admin/quota/refusals?since=yesterday')).status).to.equal(422);
  });

  it('is nobody’s name, and no address, once a person was forgotten', async () => {
    const gone = await api().createUser('gone');
    await limited(0, 'gone');
    expect((await gone.post('/user/repos', { name: repositoryName() })).status).to.equal(413);
    expect((await api().admin.delete('/admin/users/gone?purge=true&erase=true')).status).to.equal(204);
    const rows = await list('/admin/quota/refusals');
    const row = rows.find(({ user }) => (user as { id: number }).id === gone.id);
    expect(row).to.have.nested.property('user.name', null);
    expect(row).to.have.nested.property('last.explain', null);
  });

  it('is who they were, if they were deleted before all of it was counted', async () => {
    const left = await api().createUser('left');
    await limited(0, 'left');
    for (let time = 0; time < 2; time += 1)
      expect((await left.post('/user/repos', { name: repositoryName() })).status).to.equal(413);
    expect((await api().admin.delete('/admin/users/left')).status).to.equal(204);
    const rows = await list('/admin/quota/refusals?user=left');
    const person = { id: left.id, name: 'left' };
    expect(rows.map(({ user, actor }) => ({ user, actor }))).to.deep.equal(
      rows.map(() => ({ user: person, actor: person })),
    );
    const [{ last } = { last: undefined }] = rows;
    const path = String((last as { explain: unknown }).explain).replace(/^.*\/api\/v1/, '');
    expect((await api().admin.get(path)).json).to.deep.include({ user: person, allowed: false });
  });

  it('is each threshold, once each time that it is reached', async () => {
    const bob = await api().createUser('bob');
    const group = await limited(100, 'bob');
    const stored = [85n, 89n, 50n, 100n, 101n];
    for (const bytes of stored) await store(bob.id, bytes);
    const rows = await list('/admin/quota/thresholds?user=bob');
    expect(rows.map(({ percent, used }) => [percent, used])).to.deep.equal([
      [100, 100],
      [90, 100],
      [80, 100],
      [80, 85],
    ]);
    expect(rows[0]).to.deep.include({
      user: { id: bob.id, name: 'bob' },
      group,
      rule: `${group} rule`,
      subjects: ['size:all'],
      limit: 100,
    });
    const { json, headers } = await api().admin.get('/admin/quota/thresholds?user=bob&limit=1&page=2');
    expect(headers.get('x-total-count')).to.equal('4');
    expect(json).to.deep.equal([rows[1]]);
    expect(await list('/admin/quota/thresholds?user=nobody')).to.deep.equal([]);
    const at = String(rows[0]?.at);
    expect(await list(`/admin/quota/thresholds?user=bob&since=${at}&until=${at}`)).to.deep.include(rows[0]);
    expect(await list('/admin/quota/thresholds?until=2020-01-01T00:00:00Z')).to.deep.equal([]);
    expect((await api().admin.get('/admin/quota/thresholds?since=yesterday')).status).to.equal(422);
  });

  it('is as it was at any moment', async () => {
    const carol = await api().createUser('carol');
    await limited(100, 'carol');
    const told: { readonly position: bigint; readonly answers: unknown }[] = [];
    const answers = (asOf = '') =>
      Promise.all(
        ['refusals?user=carol', 'thresholds?user=carol'].map((path) =>
          list(`/admin/quota/${path}${asOf && `&as_of=${asOf}`}`),
        ),
      );
    const tell = async () => {
      const now = await answers();
      told.push({ position: await api().connections.log.lastPosition(), answers: now });
    };
    await tell();
    for (const bytes of [85n, 120n]) {
      await store(carol.id, bytes);
      await tell();
      for (let time = 0; time < 2; time += 1) await carol.post('/user/repos', { name: repositoryName() });
      await tell();
    }
    for (const { position, answers: then } of told)
      expect(await answers(position.toString()), `as of ${position}`).to.deep.equal(then);
    expect(told[0]?.answers).to.deep.equal([[], []]);
    expect(told.at(-1)?.answers).to.have.nested.property('[1].length', 3);
  });

  it('is for administrators alone', async () => {
    for (const path of ['refusals', 'thresholds']) {
      expect((await api().anonymous.get(`/admin/quota/${path}`)).status).to.equal(401);
      expect((await alice().get(`/admin/quota/${path}`)).status).to.equal(403);
    }
  });

  it('is the same when it is built anew from the log', async () => {
    const live = await rowsOf(api(), [quotaInsights]);
    expect(live['quota_insights_v2.quota_thresholds']).to.have.length(7);
    await buildAnew(api(), [quotaInsights]);
    expect(await rowsOf(api(), [quotaInsights])).to.deep.equal(live);
  });
});
