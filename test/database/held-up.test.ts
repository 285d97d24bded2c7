import { expect } from 'chai';
import { once } from 'node:events';
import { mock } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Database } from '../../src/database/database.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';

const SPARES = 2;

describe('A statement that takes long', () => {
  let scratch: TestDatabase;
  let database: Database;
  let holder: pg.Client;
  let admitted: number;
  let mostAdmitted: number;

  beforeEach(async () => {
    scratch = await testDatabase();
    holder = new pg.Client(scratch.url);
    await holder.connect();
    await holder.query('select pg_advisory_lock(1)');
    admitted = 0;
    mostAdmitted = Infinity;
    database = new Database({
      url: scratch.url,
      applicationName: 'test',
      spares: SPARES,
      admit: async (connection, signal) => {
        await connection.rows('select 1');
        if (admitted === mostAdmitted) await once(signal, 'abort');
        admitted += 1;
      },
    });
  });
  afterEach(async () => {
    await database.close();
    await scratch.drop();
  });

  const release = () => holder.end();

  /** Statements that wait for the lock of `holder`, each for a while when this resolves. */
  async function holdUp(count: number): Promise<readonly Promise<unknown>[]> {
    const held: Promise<unknown>[] = [];
    for (let each = 1; each <= count; each++) {
      held.push(database.rows('select pg_advisory_lock(1), pg_advisory_unlock(1)'));
      await until(async () => {
        const { rows } = await holder.query(
          "select from pg_locks where locktype = 'advisory' and not granted",
        );
        return rows.length === each;
      });
      await sleep(50);
    }
    return held;
  }

  it('holds up nobody who asks later, over connections that are judged as the first one', async () => {
    const held = await holdUp(SPARES);
    expect(await database.rows('select 1 as one')).to.deep.equal([{ one: 1 }]);
    expect(admitted).to.equal(1 + SPARES);
    await release();
    await Promise.all(held);
  });

  it('makes others wait where no other way is left', async () => {
    const held = await holdUp(1 + SPARES);
    const last = database.rows('select 1 as one');
    expect(await Promise.race([last, sleep(100, 'nothing')])).to.equal('nothing');
    await release();
    expect(await last).to.deep.equal([{ one: 1 }]);
    await Promise.all(held);
    expect(admitted).to.equal(1 + SPARES);
  });

  it('makes others wait where no other way is admitted, and no longer than it takes', async () => {
    mostAdmitted = 1;
    const held = await holdUp(1);
    const others = [1, 2].map(() => database.rows('select 1 as one'));
    expect(await Promise.race([...others, sleep(100, 'nothing')])).to.equal('nothing');
    await release();
    expect(await Promise.all(others)).to.deep.equal([[{ one: 1 }], [{ one: 1 }]]);
    await Promise.all(held);
  });

  it('is not found where there was nothing to do, or where others are answered meanwhile', async () => {
    let ahead = 0;
    const clock = mock.method(performance, 'now', () => ahead);
    try {
      await database.rows('select 1');
      ahead += 1_000;
      const first = database.rows('select pg_sleep(0.1)');
      await turn();
      const second = database.rows('select pg_sleep(0.1)');
      await turn();
      ahead += 1_000;
      await first;
      await Promise.all([database.rows('select 1'), second]);
    } finally {
      clock.mock.restore();
    }
    expect(admitted).to.equal(1);
    await release();
  });

  it('is answered though its connection is to end meanwhile, however long it takes', async () => {
    const held = await holdUp(1);
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const closed = database.close();
      await turn();
      mock.timers.tick(60_000);
      await release();
      await Promise.all([...held, closed]);
    } finally {
      mock.timers.reset();
    }
  });

  it('is ended with all ways by `close`', async () => {
    const held = await holdUp(SPARES);
    const outcomes = Promise.allSettled(held);
    await release();
    await outcomes;
    await database.close();
    await until(async () => {
      const { rows } = await sessionsLeft(scratch.url);
      return rows.length === 0;
    });
  });
});

/** Sessions of the database under test that are still there. */
async function sessionsLeft(url: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'test'",
    );
  } finally {
    await client.end();
  }
}
