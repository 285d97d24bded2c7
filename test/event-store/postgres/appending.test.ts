import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  EventStoreUnavailable,
  InvalidAppend,
  WrongExpectedVersion,
} from '../../../src/event-store/event-store.js';
import { PostgresEventStore } from '../../../src/event-store/postgres/postgres-event-store.js';
import { silentProxy } from '../../support/silent-proxy.js';
import { answers, idsOf, newStream, rejection, sample, samples } from '../contract/samples.js';
import { testLog, type TestLog } from './log.js';
import { recordStatements } from './statements.js';

describe('PostgresEventStore, appending', () => {
  let log: TestLog;
  let store: PostgresEventStore;
  const groups: { appends: number; events: number }[] = [];

  before(async () => {
    log = await testLog();
    store = new PostgresEventStore({
      url: log.url,
      timeLimit: 60_000,
      onGroupCommit: (appends, events) => groups.push({ appends, events }),
    });
    await store.append(newStream(), 'noStream', [sample()]); // connected
  });
  beforeEach(() => groups.splice(0));
  after(async () => {
    await store.close();
    await log.drop();
  });

  for (const change of [
    `update events.log set data = '{}'`,
    'delete from events.log',
    'truncate events.log',
    'delete from events.head',
    'truncate events.head',
  ]) {
    it(`refuses to ${change}`, async () => {
      expect(await rejection(log.admin.query(change), Error)).to.have.property('code', '23001');
    });
  }

  it('commits what arrives together in one round trip, and wakes readers once', async () => {
    const recorded = recordStatements();
    try {
      await Promise.all(Array.from({ length: 20 }, () => store.append(newStream(), 'noStream', samples(2))));
    } finally {
      recorded.restore();
    }
    expect(groups).to.deep.equal([{ appends: 20, events: 40 }]);
    expect(recorded.texts.filter((text) => text.includes('events.append('))).to.have.length(1);
    expect(recorded.texts.filter((text) => text.includes('pg_notify'))).to.have.length(1);
    expect(recorded.texts).to.have.length(2);
  });

  it('sends many that arrive together in two groups', async () => {
    await Promise.all(Array.from({ length: 100 }, () => store.append(newStream(), 'noStream', [sample()])));
    expect(groups.map(({ appends }) => appends)).to.deep.equal([50, 50]);
  });

  it('refuses only the appends of a group that conflict, and repeats the answer of retried ones', async () => {
    const [taken, retried, fresh, fresher] = [newStream(), newStream(), newStream(), newStream()];
    const earlier = samples(3);
    await store.append(taken, 'noStream', samples(2));
    const first = await store.append(retried, 'noStream', earlier);
    groups.splice(0);
    const last = await store.lastPosition();
    const [conflicting, ...others] = await Promise.allSettled([
      store.append(taken, 'noStream', samples(2)),
      store.append(fresh, 'noStream', samples(2)),
      store.append(retried, 'noStream', earlier),
      store.append(fresher, 'noStream', [sample()]),
    ]);
    expect(groups).to.have.length(1);
    expect(conflicting).to.have.property('reason').that.is.instanceOf(WrongExpectedVersion);
    expect(others.map((outcome) => outcome.status === 'fulfilled' && outcome.value)).to.deep.equal([
      { revision: 1, position: last + 2n },
      first,
      { revision: 0, position: last + 3n },
    ]);
    expect(await store.lastPosition()).to.equal(last + 3n);
    expect(await store.readStream(taken)).to.have.length(2);
  });

  it('refuses only the append whose id stands elsewhere in the log', async () => {
    const used = sample();
    await store.append(newStream(), 'noStream', [used]);
    const outcomes = await Promise.allSettled(
      [[sample()], [sample(), used], [sample()]].map((events) =>
        store.append(newStream(), 'noStream', events),
      ),
    );
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).to.have.property('reason').that.is.instanceOf(InvalidAppend);
  });

  it('takes appends of one stream one after the other', async () => {
    const stream = newStream();
    const answers = await Promise.all([
      store.append(stream, 'noStream', samples(2)),
      store.append(stream, 1, samples(2)),
      store.append(stream, 3, samples(2)),
    ]);
    expect(answers.map(({ revision }) => revision)).to.deep.equal([1, 3, 5]);
  });

  it('bounds a group, and takes an append that alone exceeds the bound', async () => {
    const large = store.append(newStream(), 'noStream', samples(5000));
    const small = Array.from({ length: 600 }, () => store.append(newStream(), 'noStream', [sample()]));
    await Promise.all([large, ...small]);
    const [first, second, ...rest] = groups;
    expect([first, second]).to.deep.equal([
      { appends: 1, events: 5000 },
      { appends: 500, events: 500 },
    ]);
    // Whether what is left goes in one group or in two hangs on when the first is answered.
    expect(rest.reduce((sum, { appends }) => sum + appends, 0)).to.equal(100);
  });

  it('loses and doubles nothing when its connection is killed in the middle of an append', async () => {
    const events = samples(3);
    const stream = newStream();
    await log.admin.query('begin');
    await log.admin.query('select * from events.head for update');
    const appending = store.append(stream, 'noStream', events);
    await log.untilWaits('append');
    await log.cut();
    await log.untilWaits('append'); // again, on a new connection
    await log.admin.query('commit');
    expect((await appending).revision).to.equal(2);
    expect(idsOf(await store.readStream(stream))).to.deep.equal(idsOf(events));
  });

  it('decides on what was committed while it waited, whatever isolation the database prefers', async () => {
    await log.alter("set default_transaction_isolation = 'repeatable read'");
    await log.cut(); // sessions begin with it
    await log.admin.query('begin');
    await log.admin.query('update events.head set recorded_at = recorded_at');
    const appending = store.append(newStream(), 'noStream', [sample()]);
    appending.catch(() => undefined);
    await log.untilWaits('append');
    await log.admin.query('commit');
    expect((await appending).revision).to.equal(0);
    await log.alter('reset default_transaction_isolation');
  });

  it('appends after all where it waited for longer than the database lets transactions last', async () => {
    const waiting = `
      select pid from pg_stat_activity
      where datname = current_database() and application_name = 'tallyforge-append'`;
    await log.admin.query('begin');
    await log.admin.query('select * from events.head for update');
    await log.alter("set transaction_timeout = '20ms'");
    await log.cut();
    const appending = store.append(newStream(), 'noStream', [sample()]);
    appending.catch(() => undefined);
    await log.untilWaits('append');
    const first = (await log.admin.query(waiting)).rows;
    do await log.admin.query('select pg_stat_clear_snapshot()');
    while (JSON.stringify((await log.admin.query(waiting)).rows) === JSON.stringify(first)); // it has been ended
    await log.alter('reset transaction_timeout');
    await log.admin.query('commit');
    expect((await appending).revision).to.equal(0);
  });

  it('appends once a server that takes no writes takes them, as one that is promoted', async () => {
    const isIdle = `
      select from pg_stat_activity
      where datname = current_database() and application_name = 'tallyforge-append' and state like 'idle%'
        and query <> ''`;
    const stream = newStream();
    await log.alter('set default_transaction_read_only = on');
    await log.cut();
    const appending = store.append(stream, 'noStream', [sample()]);
    while ((await log.admin.query(isIdle)).rows.length === 0); // it has been refused
    await log.alter('reset default_transaction_read_only');
    await log.cut();
    expect((await appending).revision).to.equal(0);
    expect(await store.readStream(stream)).to.have.length(1);
  });

  it('appends once a server that lets nobody in for a while lets it in again', async () => {
    const stream = newStream();
    await log.alter('allow_connections false');
    await log.cut();
    const appending = store.append(stream, 'noStream', [sample()]);
    appending.catch(() => undefined);
    await sleep(200); // it has been refused
    await log.alter('allow_connections true');
    expect((await appending).revision).to.equal(0);
  });

  it('takes a clock that is set meanwhile for no slow server', async () => {
    const { now } = Date;
    const appending = store.append(newStream(), 'noStream', samples(1));
    Date.now = () => now() + 3_600_000;
    try {
      expect((await appending).revision).to.equal(0);
    } finally {
      Date.now = now;
    }
  });

  it('gives up after its time limit, and the same ids find out later what happened', async () => {
    const hasty = new PostgresEventStore({ url: log.url, timeLimit: 2_000 });
    const events = samples(2);
    const stream = newStream();
    await answers(hasty);
    await log.admin.query('begin');
    await log.admin.query('select * from events.head for update');
    await rejection(hasty.append(stream, 'noStream', events), EventStoreUnavailable);
    await log.admin.query('commit'); // an append whose caller has gone may still go through
    const { revision } = await store.append(stream, 'noStream', events);
    expect(revision).to.equal(1);
    expect(idsOf(await store.readStream(stream))).to.deep.equal(idsOf(events));
    await hasty.close();
  });

  it('never records an event as earlier than the one before it', async () => {
    const stream = newStream();
    await log.admin.query(`update events.head set recorded_at = '2100-01-01T00:00:00.123Z'`);
    const { position } = await store.append(stream, 'noStream', [sample()]);
    const [event] = await store.readStream(stream);
    expect(event?.recordedAt.toISOString()).to.equal('2100-01-01T00:00:00.123Z');
    expect(await store.positionAt(new Date('2100-01-01T00:00:00.123Z'))).to.equal(position);
    expect(await store.positionAt(new Date('2100-01-01T00:00:00.122Z'))).to.equal(position - 1n);
  });

  it('looks up a time once the append under way is recorded, which may be earlier', async () => {
    await log.admin.query('begin');
    await log.admin.query(`
      select from events.append(
        array['${newStream()}'], array[-1]::bigint[], array[1],
        array[1], array[1], array[gen_random_uuid()], array['Tested'], array['{}']::json[], array['{}']::json[], array[4]
      )`);
    const { rows } = await log.admin.query<{ position: string; recorded_at: Date }>(
      'select position, recorded_at from events.head',
    );
    const [head] = rows;
    const looking = store.positionAt(head?.recorded_at ?? new Date());
    await log.untilWaits('read');
    await log.admin.query('commit');
    expect(await looking).to.equal(BigInt(head?.position ?? 0));
  });

  it('waits at its end for appends under way, and refuses later ones', async () => {
    const ending = new PostgresEventStore({ url: log.url });
    const stream = newStream();
    const underWay = [ending.append(stream, 'noStream', [sample()]), ending.append(stream, 0, [sample()])];
    await ending.close();
    expect((await Promise.all(underWay)).map(({ revision }) => revision)).to.deep.equal([0, 1]);
    await rejection(ending.append(stream, 1, [sample()]), EventStoreUnavailable);
    await rejection(ending.readStream(stream), EventStoreUnavailable);
    await rejection(ending.ping(), EventStoreUnavailable);
  });

  it('does not wait long for a server that leaves a ping without an answer', async () => {
    const proxy = await silentProxy(log.url);
    const silent = new PostgresEventStore({ url: proxy.url, timeLimit: 600_000 });
    await answers(silent);
    proxy.silence();
    await rejection(silent.ping(), EventStoreUnavailable);
    await silent.close();
    await proxy.close();
  });

  it('says that it is unavailable when no server answers', async () => {
    const errors: Error[] = [];
    const lost = new PostgresEventStore({
      url: 'postgresql://postgres@/nowhere?host=/nonexistent',
      timeLimit: 100,
      onError: (error) => errors.push(error),
    });
    await rejection(lost.append(newStream(), 'noStream', [sample()]), EventStoreUnavailable);
    await rejection(lost.readStream(newStream()), EventStoreUnavailable);
    await rejection(lost.ping(), EventStoreUnavailable);
    await lost.close();
  });
});
