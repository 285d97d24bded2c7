import { expect } from 'chai';
import { projections } from '../../projections/registry.js';
import { startApi, type TestApi } from '../support/api.js';
import { readinessOnce, type Readiness } from '../support/readiness.js';

describe('the pages for who operates the server', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const readyOnce = (isSo: (said: Readiness) => boolean) => readinessOnce(api.url(), isSo);

  it('/healthz says that the process lives', async () => {
    const response = await fetch(`${api.url()}/healthz`);
    expect([response.status, await response.json()]).to.deep.equal([200, { healthy: true }]);
  });

  it('/readyz names each part', async () => {
    await api.admin.post('/admin/quota/rules', { name: 'a', limit: 1, subjects: [] });
    const { report } = await readyOnce(({ status }) => status === 200);
    expect(report).to.deep.include({ ready: true, log: { ready: true }, database: { ready: true } });
    expect(report.projections).to.have.all.keys(projections.map(({ name }) => name));
    expect(report.projections.quota).to.deep.equal({ ready: true, lagEvents: 0, lagSeconds: 0 });
  });

  it('/readyz tells how far a read model is behind, and where it stopped', async () => {
    await api.pauseProjector();
    await api.admin.post('/admin/quota/rules', { name: 'b', limit: 1, subjects: [] });
    const { report } = await readyOnce(
      ({ report: { projections: lags } }) => (lags.quota?.lagSeconds ?? 0) > 0,
    );
    expect(report.projections.quota?.lagEvents).to.be.greaterThan(0);
    expect(await (await fetch(`${api.url()}/metrics`)).text()).to.match(
      /tallyforge_projection_lag_events\{projection="quota"\} [1-9]/,
    );
    api.resumeProjector();
  });

  it('both tell of a read model that stopped, and before which event', async () => {
    const db = api.connections.db;
    const tell = () => db.rows(`select pg_notify('checkpoints', 'status')`);
    await db.rows(
      `insert into projector.status (schema, stream, revision, position, error)
       values ('quota_v1', 'quotaCatalogue-main', 3, 9, 'damaged')`,
    );
    await tell();
    const { status, report } = await readyOnce(
      ({ report: { projections: lags } }) => lags.quota?.stoppedAt !== undefined,
    );
    expect(status).to.equal(503);
    expect(report.projections.quota?.stoppedAt).to.deep.equal({
      stream: 'quotaCatalogue-main',
      revision: 3,
      position: '9',
    });
    expect(await (await fetch(`${api.url()}/metrics`)).text())
      .to.include('tallyforge_projection_stopped{projection="quota"} 1')
      .and.include('tallyforge_projection_stopped{projection="accounts"} 0');
    await db.rows('delete from projector.status');
    await tell();
    await readyOnce(({ status: now }) => now === 200);
  });

  it('/metrics counts requests by operation and status, appends and groups', async () => {
    await api.anonymous.get('/version');
    await api.anonymous.get('/no/such/route');
    const text = await (await fetch(`${api.url()}/metrics`)).text();
    expect(text).to.match(
      /tallyforge_http_request_duration_seconds_count\{operation="getVersion",status="200"\} [1-9]/,
    );
    expect(text).to.match(
      /tallyforge_http_request_duration_seconds_count\{operation="none",status="404"\} 1\b/,
    );
    expect(text).to.match(/tallyforge_appends_total\{outcome="appended"\} [1-9]/);
    expect(text).to.match(/tallyforge_group_commit_size_count [1-9]/);
    expect(text).to.match(/tallyforge_projection_lag_seconds\{projection="accounts"\} \d/);
    expect(text).not.to.include('/no/such/route');
  });
});
