import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { clearStopped, tellStatus } from '../../projections/engine/status.js';
import { randomUUID } from 'node:crypto';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { QUOTA_CATALOGUE, QuotaCatalogue } from '../../src/domain/quota/quota-catalogue.js';
import { VISIBLE_WITHIN_MS } from '../../src/read-your-writes/read-your-writes.js';
import { PositionNotInLog } from '../../src/event-store/event-store.js';
import { startApi, type TestApi } from '../support/api.js';
import { readinessOnce, tellsOfProjections } from '../support/readiness.js';
import { rejection } from '../support/rejection.js';

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

  it('is not promised on a log that ends before what the read models show: the api does not start', async () => {
    const second = await startApi({ hasTrueReadModels: false });
    try {
      await second.pauseProjector();
      for (const projection of projections)
        await second.connections.db.rows(
          `update "${schemaOf(projection)}".checkpoint set position = position + 1000`,
        );
      const before = await second.connections.log.lastPosition();
      expect(await rejection(second.restart())).to.be.instanceOf(PositionNotInLog);
      expect(await second.connections.log.lastPosition()).to.equal(before);
    } finally {
      await second.stop();
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
        ['/repos/root/late/branches', { new_branch_name: 'late' }],
      ],
      [['/repos/root/late/issues/1/comments', { body: 'late' }]],
      [['/repos/root/late/hooks', { type: 'gitea', config }]], // begins only once all others’ writes are shown
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

  it('does not show what it has just changed as it was before', async () => {
    const config = { url: 'http://a.example/', content_type: 'json' };
    const post = async (path: string, body: object) =>
      ((await api.admin.post(path, body)).json as { id: number }).id;
    await post('/user/repos', { name: 'changed', auto_init: true });
    await post('/repos/root/changed/issues', { title: 'before' });
    const label = await post('/repos/root/changed/labels', { name: 'before', color: 'fff' });
    const milestone = await post('/repos/root/changed/milestones', { title: 'before' });
    const comment = await post('/repos/root/changed/issues/1/comments', { body: 'before' });
    const hook = await post('/repos/root/changed/hooks', { type: 'gitea', config });
    await api.createUser('changing');
    const changes = [
      ['/user/settings', { full_name: 'after' }],
      ['/admin/users/changing', { full_name: 'after' }],
      ['/repos/root/changed', { description: 'after' }],
      ['/repos/root/changed/issues/1', { title: 'after' }],
      [`/repos/root/changed/labels/${label}`, { name: 'after' }],
      [`/repos/root/changed/milestones/${milestone}`, { title: 'after' }],
      [`/repos/root/changed/issues/comments/${comment}`, { body: 'after' }],
      [`/repos/root/changed/hooks/${hook}`, { branch_filter: 'after' }],
    ] as const;
    await api.admin.get('/user');
    await api.pauseProjector();
    const changing = changes.map(([path, body]) => api.admin.patch(path, body));
    await sleep(VISIBLE_WITHIN_MS + 100);
    api.resumeProjector();
    for (const [index, { status, text, json }] of (await Promise.all(changing)).entries()) {
      expect(status, text).to.be.oneOf([200, 201]);
      expect(json, changes[index]?.[0]).to.include(changes[index]?.[1]);
    }

    await api.pauseProjector();
    const transferring = api.admin.post('/repos/root/changed/transfer', { new_owner: 'changing' });
    await sleep(3 * VISIBLE_WITHIN_MS); // each of its writes is waited for
    api.resumeProjector();
    expect((await transferring).json).to.have.nested.property('owner.login', 'changing');
  });

  it('takes nobody off issues for want of what gives the right to them', async () => {
    const post = async (path: string, body: object) =>
      ((await api.admin.post(path, body)).json as { id: number }).id;
    await api.createUser('worker');
    const team = { name: 'workers', permission: 'write', units: ['repo.issues'] };
    for (const username of ['giving', 'taking']) await post('/orgs', { username });
    const giving = await post('/orgs/giving/teams', { ...team, includes_all_repositories: true });
    const taking = await post('/orgs/taking/teams', team);
    for (const id of [giving, taking]) await api.admin.put(`/teams/${id}/members/worker`);
    await post('/orgs/giving/repos', { name: 'work' });
    await post('/repos/giving/work/issues', { title: 'to do', assignees: ['worker'] });

    await api.pauseProjector();
    const transferring = api.admin.post('/repos/giving/work/transfer', {
      new_owner: 'taking',
      team_ids: [taking],
    });
    await sleep(4 * VISIBLE_WITHIN_MS);
    api.resumeProjector();
    expect((await transferring).status).to.equal(202);
    const issue = await api.admin.get('/repos/taking/work/issues/1');
    expect(issue.json).to.have.nested.property('assignees[0].login', 'worker');
  });

  it('does not say that it is not there while the read models are behind it', async () => {
    const other = await api.another();
    await Promise.all([api.admin.get('/user'), other.admin.get('/user')]);
    await api.pauseProjector();
    const written = await api.admin.post('/admin/quota/groups', { name: 'behind', rules: [] });
    const position = { 'x-tallyforge-position': written.headers.get('x-tallyforge-position') ?? '' };
    const key = { 'idempotency-key': 'change-behind', ...position };
    const join = () => other.admin.put('/admin/quota/groups/behind/users/root', undefined, key);
    const { status, headers, message } = await join();
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(message).to.contain('the read models are behind');
    expect((await other.admin.get('/admin/quota/groups/behind', position)).status).to.equal(503);
    const named = () => other.admin.post('/admin/users/root/quota/groups', { groups: ['behind'] }, position);
    expect((await named()).status, 'by a body').to.equal(503);
    api.resumeProjector();
    expect((await join()).status).to.equal(204);
    expect((await named()).status).to.equal(204);
    expect((await other.admin.get('/admin/quota/rules/nothing', position)).status).to.equal(404);
  });

  it('shows what was just made also to whoever was late before, and does not say to make it again', async () => {
    const other = await api.another();
    expect((await api.admin.post('/user/repos', { name: 'twice' })).status).to.equal(201);
    expect((await api.admin.post('/repos/root/twice/issues', { title: 'one' })).status).to.equal(201);
    await Promise.all([api.admin.get('/user'), other.admin.get('/user')]);
    await api.pauseProjector();
    const written = await api.admin.put('/repos/root/twice/topics/late');
    const position = { 'x-tallyforge-position': written.headers.get('x-tallyforge-position') ?? '' };
    const making = other.admin.post('/repos/root/twice/issues/1/comments', { body: 'once' }, position);
    await sleep(3 * VISIBLE_WITHIN_MS); // for the position, for the comment, and then for the answer
    api.resumeProjector();
    const { status, text } = await making;
    expect(status, text).to.equal(201);
    expect((await api.admin.get('/repos/root/twice/issues/1/comments')).json).to.have.lengthOf(1);
  });

  it('does not say either that somebody is no member or collaborator', async () => {
    await api.createUser('newcomer');
    const other = await api.another();
    expect((await api.admin.post('/orgs', { username: 'club' })).status).to.equal(201);
    expect((await api.admin.post('/user/repos', { name: 'joined' })).status).to.equal(201);
    const [{ id }] = (await api.admin.get('/orgs/club/teams')).json as readonly [{ id: number }];
    await Promise.all([api.admin.get('/user'), other.admin.get('/user')]);
    await api.pauseProjector();
    await api.admin.put(`/teams/${id}/members/newcomer`);
    const written = await api.admin.put('/repos/root/joined/collaborators/newcomer');
    const position = { 'x-tallyforge-position': written.headers.get('x-tallyforge-position') ?? '' };
    const asked = () =>
      Promise.all(
        ['/orgs/club/members/newcomer', '/repos/root/joined/collaborators/newcomer'].map(
          async (path) => (await other.admin.get(path, position)).status,
        ),
      );
    expect(await asked()).to.deep.equal([503, 503]);
    api.resumeProjector();
    expect(await asked()).to.deep.equal([204, 204]);
  });

  it('answers for a moment, and for now, only what the log says of it', async () => {
    await api.admin.get('/user');
    const before = String(await api.connections.store.lastPosition());
    await api.pauseProjector();
    await new CommandHandler({ log: api.connections.log }).handle(
      QuotaCatalogue,
      QUOTA_CATALOGUE,
      {
        type: 'CreateQuotaRule',
        data: { ...rule('meanwhile'), limit: '1', id: 999, at: new Date().toISOString() },
      },
      { commandId: randomUUID(), at: new Date().toISOString() },
    );
    const now = String(await api.connections.store.lastPosition());
    const asOf = (position: string) => api.admin.get(`/admin/quota/rules?as_of=${position}`);
    const { status, headers } = await asOf(now);
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect((await api.admin.post('/admin/quota/rehearsals', {})).status).to.equal(503);
    expect((await asOf(before)).status).to.equal(200);
    expect((await api.admin.get('/admin/quota/refusals')).status).to.equal(200);
    api.resumeProjector();
    expect((await asOf(now)).text).to.contain('meanwhile');
  });

  it('does not say that it is not there where the read model that would show it is stopped', async () => {
    const create = () =>
      api.admin.post('/user/repos', { name: 'unseen' }, { 'idempotency-key': 'made-unseen' });
    const db = new Database({ url: api.connections.databaseUrl, applicationName: 'test-stopped' });
    const schemas = projections.map((projection) => schemaOf(projection));
    /** Resolves once the api has heard of so many that are stopped. */
    const hasHeardOf = (stopped: number) =>
      readinessOnce(api.url(), (said) => {
        const reports = Object.values(said.report.projections);
        return tellsOfProjections(said) && reports.filter(({ stoppedAt }) => stoppedAt).length === stopped;
      });
    try {
      await api.admin.get('/user');
      await api.pauseProjector();
      await db.rows(sql`
        insert into projector.status (schema, stream, revision, position, error)
        select schema, 'repository-0', 0, 0, 'broken' from unnest(${schemas}::text[]) as schema`);
      await tellStatus(db);
      await hasHeardOf(schemas.length);
      expect((await create()).status).to.equal(503);
      await clearStopped(db, schemas);
      await hasHeardOf(0);
      api.resumeProjector();
      expect((await create()).status).to.equal(201);
    } finally {
      await db.close();
    }
  });

  /** Makes a user while the read models stand still, which they no longer do a moment after. */
  const madeLate = async (username: string) => {
    await api.admin.get('/user');
    await api.pauseProjector();
    const made = await api.admin.post('/admin/users', {
      username,
      email: `${username}@example.org`,
      password: 'correct horse',
      must_change_password: false,
    });
    expect([made.status, made.headers.get('preference-applied')]).to.deep.equal([201, 'respond-async']);
    setTimeout(() => {
      api.resumeProjector();
    }, 500);
    return { 'x-tallyforge-position': made.headers.get('x-tallyforge-position') ?? '' };
  };

  it('signs in whoever was made at the position that the client sends', async () => {
    const position = await madeLate('arrival');
    const read = await api.as({ username: 'arrival', password: 'correct horse' }).get('/user', position);
    expect(read.status).to.equal(200);
  });

  it('lets whoever has made a user act as that user', async () => {
    await madeLate('actor');
    const read = await api.admin.get('/user?sudo=actor');
    expect(read.status).to.equal(200);
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
