import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { schemaOf } from '../../projections/projection.js';
import { quota } from '../../projections/quota/quota.js';
import { startApi, type TestApi } from '../support/api.js';
import type { RunningApi } from '../support/running-api.js';
import { until } from '../support/process.js';

/** Long enough for an answer that waits for nothing. */
const A_WHILE_MS = 150;

const LIVE = schemaOf(quota);

describe('after the database crashed', () => {
  let api: TestApi;

  beforeEach(async () => {
    api = await startApi();
    await api.admin.get('/user');
  });
  afterEach(() => api.stop());

  const sqlRows = (text: string) => api.connections.db.rows(text);
  const addRule = async (name: string) => {
    const { status } = await api.admin.post('/admin/quota/rules', { name, limit: 1, subjects: [] });
    expect(status).to.equal(201);
  };
  const ruleNames = async (from: RunningApi = api) => {
    const { status, json, text } = await from.admin.get('/admin/quota/rules');
    return status === 200 ? (json as { name: string }[]).map(({ name }) => name) : text;
  };
  const standing = () => sqlRows(`select position, recorded_at::text from ${LIVE}.checkpoint`);

  /** What a crash does to commits that were not on disk yet: the rule and the checkpoint are what they were before it. */
  async function takeBack(name: string, [before]: readonly object[]): Promise<void> {
    await api.pauseProjector();
    const { position, recorded_at: at } = before as { position: number; recorded_at: string };
    await sqlRows(`delete from ${LIVE}.quota_rules where name = '${name}'`);
    await sqlRows(`update ${LIVE}.checkpoint set position = ${position}, recorded_at = '${at}'`);
  }

  /** Ends the sessions that reads go through, and resolves when they are gone. */
  async function cutReads(): Promise<void> {
    const reading = `datname = current_database() and application_name = 'tallyforge-api-reads'`;
    const ended = await sqlRows(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity where ${reading}`,
    );
    expect(ended).to.not.deep.equal([]);
    const pids = (ended as { pid: number }[]).map(({ pid }) => pid);
    await until(
      async () => (await sqlRows(`select from pg_stat_activity where pid in (${pids.join()})`)).length === 0,
    );
  }

  async function loseRule(): Promise<void> {
    await addRule('kept');
    const before = await standing();
    await addRule('lost');
    await takeBack('lost', before);
  }

  it('a read waits until the read models show again what had been answered', async () => {
    await loseRule();
    await cutReads();
    const reading = ruleNames().then((names) => ({ names }));
    expect(await Promise.race([reading, sleep(A_WHILE_MS)])).to.equal(undefined);
    api.resumeProjector();
    expect(await reading).to.deep.equal({ names: ['kept', 'lost'] });
  });

  it('so does one of a process that has just started', async () => {
    await loseRule();
    const starting = api.another();
    api.resumeProjector();
    expect(await ruleNames(await starting)).to.deep.equal(['kept', 'lost']);
  });

  it('reads are refused, and the process is not ready, while the read models stay behind', async () => {
    const hasty = await api.another({ readsWithinMs: 50 });
    await hasty.admin.get('/user');
    await loseRule();
    await cutReads();
    for (const path of ['/admin/quota/rules', '/repos/search']) {
      const { status, headers } = await hasty.admin.get(path);
      expect([status, headers.get('retry-after')], path).to.deep.equal([503, '1']);
    }
    const ready = await fetch(`${hasty.url()}/readyz`);
    expect(((await ready.json()) as { database: object }).database).to.deep.equal({
      ready: false,
      error: 'DatabaseUnavailable',
    });
    expect(ready.status).to.equal(503);
    api.resumeProjector();
    expect(await ruleNames()).to.deep.equal(['kept', 'lost']);
  });

  it('nothing waits for a read model that is stopped', async () => {
    await loseRule();
    await sqlRows(
      `insert into projector.status (schema, stream, revision, position, error) values ('${LIVE}', 's', 0, 0, 'bad')`,
    );
    await cutReads();
    expect(await ruleNames()).to.deep.equal(['kept']);
  });

  it('a read that meets the end of its connection is carried out over another', async () => {
    await addRule('kept');
    const reads = Array.from({ length: 50 }, () => ruleNames());
    await cutReads();
    for (const names of await Promise.all(reads)) expect(names).to.deep.equal(['kept']);
  });
});
