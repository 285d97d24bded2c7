import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { clearStopped, tellStatus } from '../../projections/engine/status.js';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { VISIBLE_WITHIN_MS } from '../../src/http/recent-writes.js';
import { startApi, type TestApi } from '../support/api.js';

describe('reading one’s own writes', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const rule = (name: string) => ({ name, limit: 1, subjects: [] });

  it('shows every write in the next read, here and, with the position, elsewhere', async () => {
    const other = await api.another();
    for (let round = 0; round < 10; round++) {
      const written = await api.admin.post('/admin/quota/rules', rule(`rule ${round}`));
      const position = written.headers.get('x-tallyforge-position') ?? '';
      expect(position).to.match(/^\d+$/);
      expect(written.headers.get('preference-applied')).to.equal(null);
      const [here, there] = await Promise.all([
        api.admin.get(`/admin/quota/rules/rule%20${round}`),
        other.admin.get(`/admin/quota/rules/rule%20${round}`, { 'x-tallyforge-position': position }),
      ]);
      expect([here.status, there.status]).to.deep.equal([200, 200]);
    }
  });

  it('says so when the read models are late; the next reads of that account wait for them', async () => {
    await api.admin.get('/user');
    await api.pauseProjector();
    const late = await api.admin.post('/admin/quota/rules', rule('late'));
    expect([late.status, late.headers.get('preference-applied')]).to.deep.equal([201, 'respond-async']);
    const reading = api.admin.get('/admin/quota/rules/late');
    await sleep(VISIBLE_WITHIN_MS + 100);
    api.resumeProjector();
    const read = await reading;
    expect([read.status, read.headers.get('preference-applied')]).to.deep.equal([200, null]);
  });

  it('shows what it has just made as soon as it can, and has made it once', async () => {
    const config = { url: 'http://a.example/', content_type: 'json' };
    const atOnce = [
      [['/user/repos', { name: 'late', auto_init: true }]],
      [
        ['/repos/root/late/issues', { title: 'late' }],
        ['/repos/root/late/hooks', { type: 'gitea', config }],
        ['/repos/root/late/branches', { new_branch_name: 'late' }],
      ],
      [['/repos/root/late/issues/1/comments', { body: 'late' }]],
    ] as const;
    for (const creations of atOnce) {
      await api.admin.get('/user');
      await api.pauseProjector();
      const creating = creations.map(([path, body]) => api.admin.post(path, body));
      await sleep(VISIBLE_WITHIN_MS + 100);
      api.resumeProjector();
      for (const { status, text } of await Promise.all(creating)) expect(status, text).to.equal(201);
      for (const [path] of creations)
        expect((await api.admin.get(path)).json, path).to.have.lengthOf(path.endsWith('branches') ? 2 : 1);
    }
  });

  it('does not say that it is not there where the read model that would show it is stopped', async () => {
    const create = () =>
      api.admin.post('/user/repos', { name: 'unseen' }, { 'idempotency-key': 'made-unseen' });
    const db = new Database({ url: api.connections.databaseUrl, applicationName: 'test-stopped' });
    const schemas = projections.map((projection) => schemaOf(projection));
    try {
      await api.admin.get('/user');
      await api.pauseProjector();
      await db.rows(sql`
        insert into projector.status (schema, stream, revision, position, error)
        select schema, 'repository-0', 0, 0, 'broken' from unnest(${schemas}::text[]) as schema`);
      await tellStatus(db);
      expect((await create()).status).to.equal(503);
      await clearStopped(db, schemas);
      api.resumeProjector();
      expect((await create()).status).to.equal(201);
    } finally {
      await db.close();
    }
  });

  it('answers without what a client waits for in vain', async () => {
    const { status, headers } = await api.anonymous.get('/version', {
      'x-tallyforge-position': '9000000000000000000',
    });
    expect([status, headers.get('preference-applied')]).to.deep.equal([200, 'respond-async']);
    const nonsense = await api.anonymous.get('/version', { 'x-tallyforge-position': 'soon' });
    expect(nonsense.headers.get('preference-applied')).to.equal(null);
  });
});
