import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';
import { migrate } from '../../src/migrate/migrate.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { hastenRepeats } from '../../src/webhooks/housekeeping.js';
import { insertDeliveries } from '../../src/webhooks/insert-deliveries.js';
import { Lanes, type Lane } from '../../src/webhooks/lanes.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';
import { waitingForLocks } from '../support/waiting-for-locks.js';
import { EMPTY, keepEmptyPayload, planned } from './things.js';

describe('the lanes of hooks', () => {
  let database: TestDatabase;
  let db: Database;
  let lanes: Lanes;
  const ids = [randomUUID(), randomUUID()];

  beforeEach(async () => {
    database = await testDatabase();
    await migrate(database.url, ['deliveries']);
    db = new Database({ url: database.url, applicationName: 'test' });
    lanes = new Lanes(db);
    await insertDeliveries(
      db,
      ids.map((id, n) => ({ ...planned(1, n), id })),
    );
  });
  afterEach(async () => {
    await db.close();
    await database.drop();
  });

  const claim = (from = lanes) => from.claim(false, new Date(), 10);
  const theOnly = (claimed: readonly Lane[]): Lane => {
    const [lane] = claimed;
    if (!lane || claimed.length > 1) throw new Error(`${claimed.length} lanes were claimed`);
    return lane;
  };
  const statuses = async () => {
    const rows = await db.rows<{ status: string }>(
      'select status from deliveries.deliveries order by sequence',
    );
    return rows.map(({ status }) => status);
  };

  it('are given large deliveries in several statements, in order, since no string holds them all', async () => {
    const statements: string[] = [];
    const counted: Queryable = {
      rows: (statement) => {
        statements.push(typeof statement === 'string' ? statement : statement.text);
        return db.rows(statement);
      },
    };
    const large = [1, 2, 3].map((n) => ({
      ...planned(7, n),
      id: randomUUID(),
      payload: JSON.stringify(String(n).repeat(5 * 1024 * 1024)),
    }));
    await insertDeliveries(counted, large);
    expect(statements).to.have.length(3);
    const rows = await db.rows<{ id: string }>(
      'select id from deliveries.deliveries where hook_id = 7 order by sequence',
    );
    expect(rows.map(({ id }) => id)).to.deep.equal(large.map(({ id }) => id));
  });

  it('store what many send once, however often it is queued', async () => {
    const payload = JSON.stringify('x'.repeat(100_000));
    const queue = (hooks: readonly number[]) =>
      insertDeliveries(
        db,
        hooks.map((hookId) => ({ ...planned(hookId, 1), id: randomUUID(), payload })),
      );
    await Promise.all([queue([11, 12, 13]), queue([13, 12, 11])]);
    const kept = await db.rows(sql`select digest from deliveries.payloads where text = ${payload}`);
    expect(kept).to.have.length(1);
    const claimed = (await claim()).filter(({ hookId }) => hookId > 10);
    const due = await Promise.all(claimed.map((lane) => lanes.due(lane, new Date())));
    expect(due.flat().map((delivery) => delivery.payload)).to.deep.equal(Array(6).fill(payload));
  });

  it('are held by one at a time, which sees what is due in order', async () => {
    const lane = theOnly(await claim());
    expect(await claim()).deep.equals([]);
    expect((await lanes.due(lane, new Date())).map(({ id }) => id)).deep.equals(ids);
  });

  it('give up what has waited too long, however much that is, and look at no more than comes next', async () => {
    await db.rows('delete from deliveries.deliveries');
    await keepEmptyPayload(db);
    await db.rows(`
      insert into deliveries.deliveries (id, hook_id, event, event_type, payload_digest, created_at)
      select gen_random_uuid(), 1, 'push', 'push', ${EMPTY}, now() - interval '1 hour' * case when n > 2500 then 1 else 13 end
      from generate_series(1, 6000) n`);
    let statements = 0;
    const counting: Queryable = {
      rows: (statement) => {
        statements += 1;
        return db.rows(statement);
      },
    };
    const lane = theOnly(await claim());
    const since = new Date(Date.now() - 12 * 3_600_000);
    expect(await new Lanes(counting).giveUp(lane, since, 'too late')).equals(2500);
    expect(statements).equals(5);
    expect((await statuses()).lastIndexOf('failed')).equals(2499);
    expect(await new Lanes(counting).giveUp(lane, since, 'too late')).equals(0);
    expect(statements).equals(6);
  });

  it('give up repeats that are late by too much, but not what somebody asked to send again', async () => {
    await db.rows('delete from deliveries.deliveries');
    await db.rows('delete from deliveries.lanes');
    await keepEmptyPayload(db);
    await db.rows(`
      insert into deliveries.deliveries
        (id, hook_id, event, event_type, payload_digest, retry, attempts, created_at, due_at)
      select gen_random_uuid(), 1, 'push', 'push', ${EMPTY}, true, 1, now() - interval '2 days', due_at
      from unnest(array['epoch', now() - interval '13 hours', now() - interval '11 hours']::timestamptz[]) due_at;
      insert into deliveries.lanes (hook_id, retry, due_at) values (1, true, now() - interval '11 hours')`);
    const lane = theOnly(await lanes.claim(true, new Date(), 10));
    const since = new Date(Date.now() - 12 * 3_600_000);
    expect(await lanes.giveUp(lane, since, 'too late')).equals(1);
    const left = await db.rows(`
      select due_at = 'epoch' as asked from deliveries.deliveries where status = 'pending' order by due_at`);
    expect(left).deep.equals([{ asked: true }, { asked: false }]);
  });

  it('lead soon to repeats that are due by a clock that was hours ahead, and to no others', async () => {
    const [first = '', second = ''] = ids;
    const lane = theOnly(await claim());
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    await lanes.settle(lane, first, { status: 'pending', dueAt: inHours(4) });
    await lanes.close(lane);
    await hastenRepeats(db, new Date());
    expect(await lanes.claim(true, inHours(3), 10)).deep.equals([]);
    await lanes.settle(theOnly(await claim()), second, { status: 'pending', dueAt: inHours(12) });
    await hastenRepeats(db, new Date());
    const retry = theOnly(await lanes.claim(true, new Date(), 10));
    expect((await lanes.due(retry, new Date())).map(({ id }) => id)).deep.equals([second]);
    expect(await lanes.due(retry, inHours(5))).length(2);
  });

  it('are held before their deliveries by all, so that nobody waits in a circle', async () => {
    const [id = ''] = ids;
    await lanes.settle(theOnly(await claim()), id, { status: 'pending', dueAt: new Date() });
    const retry = theOnly(await lanes.claim(true, new Date(), 10));
    // What one of them waits for would hold up whatever else goes over its connection.
    const [one, another] = [1, 2].map(() => new Database({ url: database.url, applicationName: 'test' }));
    if (!one || !another) throw new Error('unreachable');
    try {
      const both = await db.transaction(async (connection) => {
        await connection.rows(`select from deliveries.deliveries where id = '${id}' for update`);
        const again = new Deliveries(one).redeliver(1, id);
        await until(async () => (await waitingForLocks(db)) === 1);
        const settled = new Lanes(another).settle(retry, id, { status: 'delivered' });
        await until(async () => (await waitingForLocks(db)) === 2);
        return [again, settled] as const;
      });
      expect(await Promise.all(both)).to.deep.equal([true, true]);
    } finally {
      await Promise.all([one.close(), another.close()]);
    }
  });

  it('refuse the result of a holder whose lease ran out', async () => {
    const paused = theOnly(await claim());
    await db.rows(`update deliveries.lanes set leased_until = now() - interval '1 s'`); // as 15 s later
    const holder = theOnly(await claim());
    expect(await lanes.settle(paused, ids[0] ?? '', { status: 'delivered' })).equals(false);
    expect(await lanes.renew(paused)).equals(undefined);
    expect(await statuses()).deep.equals(['pending', 'pending']);
    expect(await lanes.settle(holder, ids[0] ?? '', { status: 'delivered' })).equals(true);
    expect(await statuses()).deep.equals(['delivered', 'pending']);
    await lanes.giveBack(paused);
    expect(await lanes.close(paused)).equals(false);
    expect(await claim(), 'another holds it').deep.equals([]);
    expect(await lanes.settle(holder, ids[1] ?? '', { status: 'delivered' })).equals(true);
    expect(await lanes.close(paused)).equals(false);
    expect(await lanes.renew(holder)).deep.equals(holder);
    expect(await lanes.close(holder)).equals(true);
  });

  it('are one for first attempts and one for repeats, each with its own deliveries', async () => {
    const [first = '', second = ''] = ids;
    const lane = theOnly(await claim());
    await lanes.settle(lane, first, { status: 'pending', dueAt: new Date(0) });
    const due = async (of: Lane) => (await lanes.due(of, new Date())).map(({ id }) => id);
    expect(await due(lane)).deep.equals([second]);
    expect(await claim(), 'that for first attempts is held').deep.equals([]);
    const repeats = theOnly(await lanes.claim(true, new Date(), 10));
    expect(repeats).to.include({ hookId: 1, retry: true });
    expect(await due(repeats)).deep.equals([first]);
  });

  it('are free once they are given back, also where the clock of the database is set back then', async () => {
    await lanes.giveBack(theOnly(await claim()));
    await db.rows(`update deliveries.lanes set leased_until = leased_until + interval '1 hour'`); // as an hour earlier
    theOnly(await claim());
  });

  it('are taken in the order in which they were given back', async () => {
    await insertDeliveries(db, [{ ...planned(2, 0), id: randomUUID() }]);
    for (const order of [
      [2, 1],
      [1, 2],
    ]) {
      const held = await claim();
      for (const hook of order) for (const lane of held) if (lane.hookId === hook) await lanes.giveBack(lane);
      const first = theOnly(await lanes.claim(false, new Date(), 1));
      expect(first.hookId).equals(order[0]);
      await lanes.giveBack(first);
    }
  });

  it('are free as soon as the session of their holder has ended', async () => {
    const dying = new Database({ url: database.url, applicationName: 'dying' });
    theOnly(await claim(new Lanes(dying)));
    expect(await claim()).deep.equals([]);
    await dying.close();
    await until(async () => (await claim()).length === 1);
  });

  it('stay open for what was added since they were looked at', async () => {
    const lane = theOnly(await claim());
    for (const id of ids) await lanes.settle(lane, id, { status: 'delivered' });
    await insertDeliveries(db, [{ ...planned(1, 2), id: randomUUID() }]);
    expect(await lanes.close(lane)).equals(false);
    const renewed = await lanes.renew(lane);
    expect(renewed && (await lanes.due(renewed, new Date()))).length(1);
  });

  it('stay open for a repeat that was added since they were looked at', async () => {
    const [first = '', second = ''] = ids;
    const again = { status: 'pending', dueAt: new Date(0) } as const;
    const lane = theOnly(await claim());
    await lanes.settle(lane, first, again);
    const repeats = theOnly(await lanes.claim(true, new Date(), 10));
    await lanes.settle(lane, second, again);
    expect(await lanes.close(repeats)).equals(false);
  });

  it('close when nothing is left, and open for the next attempt when it is due', async () => {
    const lane = theOnly(await claim());
    const [now, later] = [new Date(), new Date(Date.now() + 60_000)];
    await lanes.settle(lane, ids[0] ?? '', { status: 'pending', dueAt: later });
    await lanes.settle(lane, ids[1] ?? '', { status: 'delivered' });
    expect(await lanes.close(lane)).equals(true);
    expect(await claim()).deep.equals([]);
    expect(await lanes.claim(true, now, 10)).deep.equals([]);
    const repeats = theOnly(await lanes.claim(true, later, 10));
    expect((await lanes.due(repeats, later)).map(({ id }) => id)).deep.equals([ids[0]]);
  });

  it('open for the first of several next attempts', async () => {
    const lane = theOnly(await claim());
    const [soon, later] = [new Date(Date.now() + 30_000), new Date(Date.now() + 60_000)];
    for (const [index, dueAt] of [soon, later].entries())
      await lanes.settle(lane, ids[index] ?? '', { status: 'pending', dueAt });
    const repeats = theOnly(await lanes.claim(true, soon, 10));
    expect((await lanes.due(repeats, soon)).map(({ id }) => id)).deep.equals([ids[0]]);
  });

  it('give what is too much to hold in memory in pieces', async () => {
    const large = { ...planned(2, 0), payload: `"${'x'.repeat(200_000)}"` };
    await insertDeliveries(
      db,
      Array.from({ length: 5 }, () => ({ ...large, id: randomUUID() })),
    );
    const lane = (await claim()).find(({ hookId }) => hookId === 2);
    expect(lane && (await lanes.due(lane, new Date()))).length(2);
  });
});
