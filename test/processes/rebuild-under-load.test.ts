import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { projections } from '../../projections/registry.js';
import { schemaOf } from '../../projections/projection.js';
import { quota } from '../../projections/quota/quota.js';
import { embeddedUrl } from '../../src/postgres/connection.js';
import { runProgram, until } from '../support/process.js';
import { Installation } from '../support/processes/installation.js';
import { quotaClients, type QuotaClient } from '../support/processes/quota-client.js';
import { expectAcknowledged } from '../support/processes/quota-reading.js';
import { Random } from '../support/random.js';

const LIVE = schemaOf(quota);

describe('rebuilding read models that serve', () => {
  let installation: Installation;
  let clients: QuotaClient[];
  let db: pg.Client;

  before(async () => {
    installation = await Installation.create();
    await installation.start();
    clients = await quotaClients(installation.admin, new Random(7));
    db = new pg.Client(await embeddedUrl(installation.dataDir));
    await db.connect();
    await installation.admin.post('/admin/quota/rules', { name: 'kept', limit: 5, subjects: ['size:all'] });
  });
  after(async () => {
    await db.end();
    await installation.remove();
  });

  /** Does `work` while clients read and write, none of whom notices. */
  async function underLoad<T>(work: () => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const running = Promise.all(clients.map((client) => client.run(stop.signal)));
    running.catch(() => undefined); // told below
    const done = await work();
    stop.abort();
    await running;
    expect(clients.map(({ failures }) => failures)).to.deep.equal(clients.map(() => 0));
    return done;
  }

  const schemas = async (pattern: string) => {
    const { rows } = await db.query<{ nspname: string; oid: number }>(
      'select nspname, oid from pg_namespace where nspname like $1 order by 1',
      [pattern],
    );
    return new Map(rows.map(({ nspname, oid }) => [nspname, oid]));
  };
  const load = () => underLoad(() => sleep(200));
  const expectClientsToRead = () => expectAcknowledged(installation.admin, clients);
  const keptLimit = async () => {
    const { json } = await installation.admin.get('/admin/quota/rules/kept');
    return (json as { limit: number }).limit;
  };

  it('gives identical rows, and puts them in the place of the live ones, with no failed request', async () => {
    await load(); // something to rebuild
    const before = await schemas('%');
    const { code, stdout } = await underLoad(() => installation.rebuild('--all'));
    expect(code).to.equal(0);
    for (const { name } of projections)
      expect(stdout).to.match(new RegExp(`^${name}: \\d+ rows, the same as the live ones$`, 'm'));
    const now = await schemas('%');
    for (const schema of projections.map((projection) => schemaOf(projection))) {
      expect(now.get(schema)).to.not.equal(before.get(schema));
      expect(now.get(`${schema}__old`)).to.equal(before.get(schema));
    }
    await load(); // and they serve
    await expectClientsToRead();
  });

  it('verifies under load, and finds nothing', async () => {
    const { code, stdout } = await underLoad(() => installation.rebuild('--all', '--verify'));
    expect({ code, differs: stdout.includes('differ') }).to.deep.equal({ code: 0, differs: false });
    expect((await schemas('%\\_\\_next')).size).to.equal(0);
  });

  it('names a row that was tampered with, and so does the audit', async () => {
    const { rows } = await db.query<{ id: string }>(
      `update ${LIVE}.quota_rules set "limit" = 6 where name = 'kept' returning id`,
    );
    const key = `(${rows[0]?.id}`;
    const verified = await installation.rebuild('quota', '--verify');
    expect(verified.code).to.equal(1);
    expect(verified.stdout)
      .to.include(`quota_rules ${key}`)
      .and.match(/live: +.*kept,6,/)
      .and.match(/rebuilt: +.*kept,5,/);
    const audited = await installation.audit('--verify');
    expect(audited.code).to.equal(1);
    expect(audited.stdout).to.include('kept 5 size:all').and.include('kept 6 size:all');
    expect(await keptLimit()).to.equal(6);
  });

  it('repairs it, goes back to what was there before, and forth again', async () => {
    const rebuilt = await installation.rebuild('quota');
    expect(rebuilt.code).to.equal(0);
    expect(rebuilt.stdout).to.match(/^quota: 1 of \d+ rows differ$/m);
    expect(await keptLimit()).to.equal(5);
    await load();
    expect((await installation.rebuild('quota', '--rollback')).code).to.equal(0);
    expect(await keptLimit()).to.equal(6);
    await expectClientsToRead();
    expect((await installation.rebuild('quota', '--rollback')).code).to.equal(0);
    expect(await keptLimit()).to.equal(5);
    await expectClientsToRead();
    await installation.rebuild('accounts', '--drop-old');
    const both = await installation.rebuild('quota', 'accounts', '--rollback');
    expect(both.code).to.equal(2);
    expect(both.stderr).to.match(/^accounts has no earlier tables to go back to: name only /);
    expect(await keptLimit()).to.equal(5);
  });

  it('runs once at a time, and may die at any moment', async () => {
    // It waits for this lock in the middle of its swap.
    await db.query(`begin; lock table ${LIVE}.checkpoint in row share mode`);
    const rebuilding = runProgram('projections/rebuild/main.js', ['quota'], {
      DATA_DIR: installation.dataDir,
    });
    await until(async () => {
      const { rowCount } = await db.query(
        `select from pg_locks where not granted and mode = 'ExclusiveLock'`,
      );
      return rowCount === 1;
    });
    const second = await installation.rebuild('accounts');
    expect(second).to.deep.include({ code: 2, stderr: 'another rebuild is running\n' });
    expect(await keptLimit()).to.equal(5);
    rebuilding.process.kill('SIGKILL');
    await rebuilding.ended();
    await db.query('commit');

    await load();
    await expectClientsToRead();
    expect((await schemas('%\\_\\_next')).size).to.equal(1);
    expect((await underLoad(() => installation.rebuild('--all'))).code).to.equal(0);
    expect((await schemas('%\\_\\_next')).size).to.equal(0);
    expect((await installation.audit('--verify')).code).to.equal(0);
  });
});
