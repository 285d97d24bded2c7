import { expect } from 'chai';
import { projections } from '../../projections/registry.js';
import { startApi, type TestApi } from '../support/api.js';
import type { ReadinessReport } from '../../src/http/system/readiness.js';

describe('the pages for who operates the server', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const ready = async () => {
    const response = await fetch(`${api.url()}/readyz`);
    return { status: response.status, report: (await response.json()) as ReadinessReport };
  };

  it('/healthz says that the process lives', async () => {
    const response = await fetch(`${api.url()}/healthz`);
    expect([response.status, await response.json()]).to.deep.equal([200, { healthy: true }]);
  });

  it('/readyz names each part', async () => {
    await api.admin.post('/admin/quota/rules', { name: 'a', limit: 1, subjects: [] });
    const { status, report } = await ready();
    expect(status).to.equal(200);
    expect(report).to.deep.include({ ready: true, log: { ready: true }, database: { ready: true } });
    expect(report.projections).to.have.all.keys(projections.map(({ name }) => name));
    expect(report.projections.quota).to.deep.equal({ ready: true, lagEvents: 0, lagSeconds: 0 });
  });

  it('/readyz tells how far a read model is behind, and where it stopped', async () => {
    await api.pauseProjector();
    await api.admin.post('/admin/quota/rules', { name: 'b', limit: 1, subjects: [] });
    const { report } = await ready();
    expect(report.projections.quota?.lagEvents).to.be.greaterThan(0);
    expect(report.projections.quota?.lagSeconds).to.be.greaterThan(0);
    expect(await (await fetch(`${api.url()}/metrics`)).text()).to.match(
      /tallyforge_projection_lag_events\{projection="quota"\} [1-9]/,
    );
    api.resumeProjector();
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
