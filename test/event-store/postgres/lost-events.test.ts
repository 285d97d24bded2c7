import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { EventStoreUnavailable, PositionNotInLog } from '../../../src/event-store/event-store.js';
import { PostgresEventStore } from '../../../src/event-store/postgres/postgres-event-store.js';
import { newStream, rejection, sample, samples } from '../contract/samples.js';
import { testLog, type TestLog } from './log.js';

describe('PostgresEventStore of a log that has lost events, as by a fail-over to a server that was behind', () => {
  let log: TestLog;
  const stores: PostgresEventStore[] = [];
  const lost: PositionNotInLog[] = [];

  before(async () => {
    log = await testLog();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    lost.splice(0);
  });
  after(() => log.drop());

  const open = (onLogLost?: (error: PositionNotInLog) => void) => {
    const store = new PostgresEventStore({
      url: log.url,
      timeLimit: 60_000,
      ...(onLogLost && { onLogLost }),
    });
    stores.push(store);
    return store;
  };

  /** Takes the last events back, and cuts all connections. */
  async function lose(events: number): Promise<void> {
    await log.admin.query(`
      alter table events.log disable trigger user;
      delete from events.log where position > (select position - ${events} from events.head);
      update events.head set position = position - ${events};
      alter table events.log enable trigger user`);
    await log.cut();
  }

  /** Puts others in the place of the last event and behind it, and cuts all connections before anybody reads these. */
  async function refill(): Promise<void> {
    await log.admin.query(`
      alter table events.log disable trigger user;
      update events.log set id = gen_random_uuid() where position = (select position from events.head);
      insert into events.log (position, stream, revision, id, type, data, metadata, bytes, recorded_at)
        select position + 1, stream, revision + 1, gen_random_uuid(), type, data, metadata, bytes, recorded_at
        from events.log where position = (select position from events.head);
      update events.head set position = position + 1;
      alter table events.log enable trigger user;
      select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
  }

  for (const [what, learn] of [
    ['read', (store: PostgresEventStore, stream: string) => store.readStream(stream)],
    ['asked for', (store: PostgresEventStore) => store.lastPosition()],
    ['appended', (store: PostgresEventStore, stream: string) => store.append(stream, 1, [sample()])],
  ] as const)
    it(`takes nothing from who has ${what} them, whatever came in their place`, async () => {
      const stream = newStream();
      await open().append(stream, 'noStream', samples(2));
      const store = open((error) => lost.push(error));
      await learn(store, stream);
      const shown = await open().lastPosition();
      await lose(1);

      const append = () => rejection(store.append(stream, 0, [sample()]), EventStoreUnavailable);
      expect((await append()).cause).to.be.instanceOf(PositionNotInLog);
      await open().append(newStream(), 'noStream', samples(5));
      await append();
      await rejection(store.ping(), EventStoreUnavailable);
      expect(lost.map(({ position }) => position)).to.deep.equal([shown]);
    });

  it('takes nothing from who knows them, though others have appended before', async () => {
    const stream = newStream();
    const store = open((error) => lost.push(error));
    const { position } = await store.append(stream, 'noStream', samples(2));
    await refill();
    await rejection(store.append(stream, 0, [sample()]), EventStoreUnavailable);
    expect(lost.map((error) => error.position)).to.deep.equal([position]);
  });

  it('ends subscriptions that had come to them, though others have appended since', async () => {
    const store = open();
    const { position } = await store.append(newStream(), 'noStream', [sample()]);
    const { signal } = new AbortController();
    const following = store.subscribe(position - 1n, { signal })[Symbol.asyncIterator]();
    await following.next();
    const next = following.next();
    next.catch(() => undefined);
    await refill();
    expect((await rejection(next, PositionNotInLog)).position).to.equal(position);
  });

  it('ends subscriptions that had come to them', async () => {
    const store = open();
    const before = (await store.append(newStream(), 'noStream', [sample()])).position;
    const { position } = await store.append(newStream(), 'noStream', [sample()]);
    const { signal } = new AbortController();
    const follow = (after: bigint) => store.subscribe(after, { signal })[Symbol.asyncIterator]();
    for (const following of [follow(before), follow(position)]) {
      await following.next();
      await lose(1);
      expect((await rejection(following.next(), PositionNotInLog)).position).to.equal(position);
      await open().append(newStream(), 'noStream', [sample()]);
    }
  });

  it('goes on for who knows of none of these', async () => {
    const stream = newStream();
    const store = open((error) => lost.push(error));
    await store.append(stream, 'noStream', samples(2));
    await open().append(newStream(), 'noStream', samples(3));
    await lose(3);
    expect((await store.append(stream, 1, [sample()])).revision).to.equal(2);
    expect(lost).to.deep.equal([]);
  });

  it('waits for a server that is behind for the moment, as one that is yet to be promoted', async () => {
    const stream = newStream();
    const store = open((error) => lost.push(error));
    await store.append(stream, 'noStream', samples(2));
    await log.admin.query(`
      update events.head set position = position - 1;
      create function public.pg_is_in_recovery() returns boolean language sql as 'select true'`);
    await log.alter('set search_path = public, pg_catalog');
    await log.cut();
    const appending = store.append(stream, 1, [sample()]);
    appending.catch(() => undefined);
    await sleep(200); // it has met it
    await log.admin.query('update events.head set position = position + 1');
    await log.alter('reset search_path');
    expect((await appending).revision).to.equal(2);
    await log.admin.query('drop function public.pg_is_in_recovery()'); // not while a session may be asking it
    expect(lost).to.deep.equal([]);
  });

  it('ends a process that knows them', async () => {
    const child = fork(new URL('./remembering-process.js', import.meta.url), [], {
      env: { PATH: process.env.PATH, DATABASE_URL: log.url, VAULT_KEY: '0'.repeat(64) },
      execArgv: [],
      silent: true,
    });
    let told = '';
    child.stderr?.on('data', (text: Buffer) => (told += text.toString()));
    const ended = once(child, 'close');
    await once(child, 'message');
    await log.cut();
    child.send('append');
    await once(child, 'message'); // nothing was lost
    await lose(1);
    child.send('append');
    expect(await ended).to.deep.equal([1, null]);
    expect(told).to.match(/the log has no event at position \d+.*is to be started again/);
  });
});
