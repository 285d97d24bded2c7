import { mock } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { connectTo } from '../../src/database/client.js';
import { Database } from '../../src/database/database.js';
import { Lease } from '../../src/database/lease.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { sql } from '../../src/database/sql.js';
import { ReadYourWrites } from '../../src/read-your-writes/read-your-writes.js';
import { Session } from '../../src/vault/session.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';
import { rejection } from '../support/rejection.js';
import { silentProxy, type SilentProxy } from '../support/silent-proxy.js';

const SILENCE_MS = 1_500;
const pid = 'select pg_backend_pid() as pid';
const one = 'select 1 as one';

/** What a server says in the end that is not silent: on a slow machine it may seem so for a while. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  }
}

describe('a server that is silent', () => {
  let scratch: TestDatabase;
  let proxy: SilentProxy;
  let db: Database;
  /** How often a connection was given up that nobody waited for. */
  let lostIdle: number;

  before(async () => {
    scratch = await testDatabase();
  });
  beforeEach(async () => {
    proxy = await silentProxy(scratch.url);
    lostIdle = 0;
    db = new Database({
      url: proxy.url,
      applicationName: 'test',
      silenceMs: SILENCE_MS,
      maxConnections: 1,
      onError: () => (lostIdle += 1),
    });
  });
  afterEach(async () => {
    await db.close();
    await proxy.close();
  });
  after(() => scratch.drop());

  it('is given up for what is under way, and another connection serves what comes after', async () => {
    await answered(() => db.rows(pid));
    await answered(() => db.exclusive((connection) => connection.rows(pid)));
    proxy.silence({ andNew: true }); // one that has just been given up is none
    const lost = [db.rows(pid), db.transaction((connection) => connection.rows(pid))];
    for (const error of await Promise.all(lost.map(rejection)))
      expect(error).to.be.instanceOf(DatabaseUnavailable);
    proxy.heal();
    expect(await answered(() => db.rows(one))).to.deep.equal([{ one: 1 }]);
    const asked = () => db.transaction((connection) => connection.rows(one));
    expect(await answered(asked)).to.deep.equal([{ one: 1 }]);
  });

  it('is given up before anybody asks', async () => {
    const before = await answered(() => db.rows(pid));
    lostIdle = 0;
    proxy.silence();
    await until(() => lostIdle > 0);
    expect(await answered(() => db.rows(pid))).to.not.deep.equal(before);
  });

  it('is given up while it is connected to', async () => {
    proxy.silence({ andNew: true });
    const lost = [db.rows(pid), db.exclusive((connection) => connection.rows(pid))];
    for (const error of await Promise.all(lost.map(rejection)))
      expect(error).to.be.instanceOf(DatabaseUnavailable);
    proxy.heal();
    expect(await answered(() => db.rows(one))).to.deep.equal([{ one: 1 }]);
  });

  it('is given up while it lets nobody in, also by who waits for answers for ever', async () => {
    proxy.silence({ andNew: true });
    const patient = new Database({ url: proxy.url, applicationName: 'test' });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let given: readonly Error[] | undefined;
      const asked = [
        connectTo(proxy.url, 'test'),
        patient.rows(one),
        patient.exclusive(() => Promise.resolve()),
      ];
      void Promise.all(asked.map(rejection)).then((errors) => (given = errors));
      for (let turns = 0; !given && turns < 1_000; turns += 1) {
        mock.timers.tick(1_000);
        await nextTurn();
      }
      expect(given).to.have.length(3);
      for (const error of given ?? []) expect(error).to.be.instanceOf(DatabaseUnavailable);
    } finally {
      mock.timers.reset();
      await patient.close();
    }
  });

  it('is not waited for by who says goodbye', async () => {
    await answered(() => db.rows(pid));
    await answered(() => db.exclusive((connection) => connection.rows(pid)));
    proxy.silence({ andNew: true });
    await db.close();
  });

  it('is borne with while it owes nothing, and where nobody limits it', async () => {
    const sessions = async () => [
      await answered(() => db.rows(pid)),
      await answered(() => db.exclusive((connection) => connection.rows(pid))),
    ];
    const isKept = async () => {
      const before = await sessions();
      await sleep(1.5 * SILENCE_MS);
      await answered(() => db.rows(sql`select pg_sleep(${SILENCE_MS / 2_000})`)); // it may owe an answer for as long
      return isDeepStrictEqual(await sessions(), before);
    };
    await until(isKept); // it is asked now and then whether it still lives, and may be slow to say so
    const patient = new Database({ url: proxy.url, applicationName: 'test' });
    await patient.rows(sql`select pg_sleep(${(2 * SILENCE_MS) / 1000})`);
    await patient.close();
  });

  it('is noticed by who only listens', async () => {
    let broken = 0;
    const ignore = () => undefined;
    const onBroken = () => (broken += 1);
    const session = new Session({ database: db, onNotification: ignore, onBroken, onError: ignore });
    await answered(() => session.start());
    const direct = new Database({ url: scratch.url, applicationName: 'test' });
    await direct.rows('create schema projector');
    await direct.rows(`create table projector.status
      (schema text, stream text, revision int, position bigint, error text, stopped_at timestamptz)`);
    await direct.close();
    const waits = new ReadYourWrites({ database: { url: proxy.url, applicationName: 'waits' }, schemas: {} });
    await waits.start();
    const before = broken;
    proxy.silence();
    await Promise.all([until(() => !waits.connected), until(() => broken > before)]);
    await until(() => waits.connected && broken > before + 1);
    expect(await answered(() => session.rows(sql`select 1 as one`))).to.deep.equal([{ one: 1 }]);
    await waits.close();
    await session.close();
  });

  it('does not keep a lease from being given up', async () => {
    const lease = await Lease.open({ url: proxy.url, applicationName: 'test' });
    proxy.silence({ andNew: true });
    await rejection(lease.release());
  });
});
