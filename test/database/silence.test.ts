import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Database } from '../../src/database/database.js';
import { Lease } from '../../src/database/lease.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { sql } from '../../src/database/sql.js';
import { ReadYourWrites } from '../../src/read-your-writes/read-your-writes.js';
import { Session } from '../../src/vault/session.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { rejection } from '../support/rejection.js';
import { silentProxy, type SilentProxy } from '../support/silent-proxy.js';

const SILENCE_MS = 1_500;
const pid = 'select pg_backend_pid() as pid';

describe('a server that is silent', () => {
  let scratch: TestDatabase;
  let proxy: SilentProxy;
  let db: Database;

  before(async () => {
    scratch = await testDatabase();
  });
  beforeEach(async () => {
    proxy = await silentProxy(scratch.url);
    db = new Database({ url: proxy.url, applicationName: 'test', silenceMs: SILENCE_MS, maxConnections: 1 });
  });
  afterEach(async () => {
    await db.close();
    await proxy.close();
  });
  after(() => scratch.drop());

  it('is given up for what is under way, and another connection serves what comes after', async () => {
    await db.rows(pid);
    await db.exclusive((connection) => connection.rows(pid));
    proxy.silence();
    const lost = [db.rows(pid), db.transaction((connection) => connection.rows(pid))];
    for (const error of await Promise.all(lost.map(rejection)))
      expect(error).to.be.instanceOf(DatabaseUnavailable);
    expect(await db.rows('select 1 as one')).to.deep.equal([{ one: 1 }]);
    expect(await db.transaction((connection) => connection.rows('select 1 as one'))).to.deep.equal([
      { one: 1 },
    ]);
  });

  it('is given up before anybody asks', async () => {
    const before = await db.rows(pid);
    proxy.silence();
    await sleep(1_000 + 3 * SILENCE_MS);
    expect(await db.rows(pid)).to.not.deep.equal(before); // it would be refused where the silence had to be noticed now
  });

  it('is given up while it is connected to', async () => {
    proxy.silence({ andNew: true });
    const lost = [db.rows(pid), db.exclusive((connection) => connection.rows(pid))];
    for (const error of await Promise.all(lost.map(rejection)))
      expect(error).to.be.instanceOf(DatabaseUnavailable);
    proxy.heal();
    expect(await db.rows('select 1 as one')).to.deep.equal([{ one: 1 }]);
  });

  it('is not waited for by who says goodbye', async () => {
    await db.rows(pid);
    await db.exclusive((connection) => connection.rows(pid));
    proxy.silence({ andNew: true });
    await db.close();
  });

  it('is borne with while it owes nothing, and where nobody limits it', async () => {
    const before = await db.rows(pid);
    await sleep(2 * SILENCE_MS);
    expect(await db.rows(pid)).to.deep.equal(before);
    const patient = new Database({ url: proxy.url, applicationName: 'test' });
    await patient.rows(sql`select pg_sleep(${(2 * SILENCE_MS) / 1000})`);
    await patient.close();
  });

  it('is noticed by who only listens', async () => {
    let broken = 0;
    const ignore = () => undefined;
    const onBroken = () => (broken += 1);
    const session = new Session({ database: db, onNotification: ignore, onBroken, onError: ignore });
    await session.start();
    await db.rows('create schema projector');
    await db.rows(`create table projector.status
      (schema text, stream text, revision int, position bigint, error text, stopped_at timestamptz)`);
    const waits = new ReadYourWrites({ database: { url: proxy.url, applicationName: 'waits' }, schemas: {} });
    await waits.start();
    proxy.silence();
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await sleep(10);
    };
    await until(() => !waits.connected && broken > 1);
    await until(() => waits.connected && broken > 2);
    expect(await session.rows(sql`select 1 as one`)).to.deep.equal([{ one: 1 }]);
    await waits.close();
    await session.close();
  });

  it('does not keep a lease from being given up', async () => {
    const lease = await Lease.open({ url: proxy.url, applicationName: 'test' });
    proxy.silence({ andNew: true });
    await rejection(lease.release());
  });
});
