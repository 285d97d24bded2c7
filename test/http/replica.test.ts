import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.js';
import type { RunningApi } from '../support/running-api.js';
import { until } from '../support/process.js';
import { readiness, readinessOnce } from '../support/readiness.js';
import { testReplica, type TestReplica } from '../support/replica.js';

describe('GET routes that read a replica', () => {
  let primary: TestApi;
  let replica: TestReplica;
  let api: RunningApi;

  before(async () => {
    replica = await testReplica();
    primary = await startApi();
    api = await primary.another({ config: { databaseReplicaUrl: replica.urlOf(primary.databaseUrl) } });
  });
  after(async () => {
    await primary.stop();
    await replica.remove();
  });

  const report = async () => (await readiness(api.url())).report;
  const serves = () => until(async () => (await report()).replica?.ready === true);
  const stopsServing = () => until(async () => (await report()).replica?.ready === false);
  const readsFrom = async (source: 'replica' | 'primary') => {
    const metrics = await (await fetch(`${api.url()}/metrics`)).text();
    return Number(
      new RegExp(`tallyforge_reads_total\\{source="${source}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
    );
  };
  /** Sends GETs until one of them is answered by the replica. */
  const isRead = async () => {
    const before = await readsFrom('replica');
    await until(async () => {
      expect((await api.admin.get('/admin/quota/rules')).status).to.equal(200);
      return (await readsFrom('replica')) > before;
    });
  };
  let rules = 0;
  /** Makes a rule with one api and has it read by the next GET of the other. */
  const expectToReadBack = async (writer: RunningApi) => {
    const name = `rule-${++rules}`;
    const { status, headers } = await writer.admin.post('/admin/quota/rules', {
      name,
      limit: 1,
      subjects: [],
    });
    expect(status).to.equal(201);
    const position = headers.get('x-tallyforge-position') ?? '';
    const read = await api.admin.get(`/admin/quota/rules/${name}`, {
      ...(writer !== api && { 'x-tallyforge-position': position }),
    });
    expect(read.status, read.text).to.equal(200);
    expect(read.headers.has('preference-applied')).to.equal(false);
    return position;
  };

  it('read it while it shows all that the primary does', async () => {
    await isRead();
    await until(async () => (await report()).replica?.lagSeconds === 0);
  });

  it('show the writes of the caller, whichever api took them', async () => {
    for (let round = 0; round < 10; round += 1) {
      await expectToReadBack(api);
      await expectToReadBack(primary);
    }
  });

  it('read the primary while the replica is behind, which is told', async () => {
    await serves();
    await replica.pauseReplay();
    const before = await readsFrom('replica');
    for (let round = 0; round < 3; round += 1) await expectToReadBack(api);
    expect(await readsFrom('replica')).to.equal(before);
    await stopsServing();
    const { report: late } = await readinessOnce(api.url(), (said) => said.report.ready); // the api itself
    expect(late.replica?.ready).to.equal(false);
    expect(late.replica?.lagSeconds).to.be.greaterThan(0);
    expect(await (await fetch(`${api.url()}/metrics`)).text()).to.match(/tallyforge_replica_serves 0\n/);
    await replica.resumeReplay();
    await serves();
  });

  it('show a moment that is named, once it is there', async () => {
    const position = await expectToReadBack(api);
    await serves();
    const { json } = await api.admin.get(`/admin/quota/history?as_of=${position}&limit=1`);
    expect((json as { position: number }[])[0]?.position).to.equal(Number(position));
  });

  it('answer while the replica stands still, and when it goes on', async () => {
    await serves();
    await replica.signal('SIGSTOP');
    await expectToReadBack(api);
    await stopsServing();
    await expectToReadBack(api);
    await replica.signal('SIGCONT');
    await serves();
    await expectToReadBack(api);
  });

  it('fail none when the replica is killed, and read it again when it is back', async () => {
    await serves();
    const answers: Promise<number>[] = [];
    const ask = () => answers.push(api.admin.get('/admin/quota/rules').then(({ status }) => status));
    for (let count = 0; count < 50; count += 1) ask();
    await replica.kill();
    for (let count = 0; count < 50; count += 1) ask();
    expect(new Set(await Promise.all(answers))).to.deep.equal(new Set([200]));
    await expectToReadBack(api);
    await replica.start();
    await isRead();
  });
});
