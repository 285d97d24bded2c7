import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { Database } from '../../src/database/database.js';
import type { Row } from '../../src/database/queryable.js';
import { sql, type Statement } from '../../src/database/sql.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { migrate } from '../../src/migrate/migrate.js';
import { PAUSES_MS } from '../../src/webhooks/back-off.js';
import { Deliveries, type DeliveryRow } from '../../src/webhooks/deliveries.js';
import { deliveryId } from '../../src/webhooks/delivery-id.js';
import { freeze } from '../../src/webhooks/frozen-target.js';
import { removeOldDeliveries, removeOldPayloads } from '../../src/webhooks/housekeeping.js';
import { insertDeliveries } from '../../src/webhooks/insert-deliveries.js';
import type { HookTarget } from '../../src/webhooks/planned.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';
import { Receiver } from './receiver.js';
import {
  dispatcherOf,
  EMPTY,
  keepEmptyPayload,
  KEY,
  numberOf,
  planned,
  Things,
  type TestDispatcherOptions,
} from './things.js';

describe('the dispatcher', () => {
  let database: TestDatabase;
  let db: Database;
  let things: Things;
  let deliveries: Deliveries;
  let closing: (() => Promise<void>)[];

  beforeEach(async () => {
    database = await testDatabase();
    await migrate(database.url, ['events', 'projector', 'deliveries']);
    db = new Database({ url: database.url, applicationName: 'test' });
    await keepEmptyPayload(db);
    things = new Things(database.url);
    deliveries = new Deliveries(db);
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
    await things.close();
    await db.close();
    await database.drop();
  });

  const receiver = async (...answer: Parameters<typeof Receiver.open>): Promise<Receiver> => {
    const opened = await Receiver.open(...answer);
    closing.push(() => opened.close());
    return opened;
  };
  const dispatch = (
    targets: Readonly<Record<number, HookTarget>>,
    options: Partial<TestDispatcherOptions> = {},
  ) => {
    const stop = new AbortController();
    const running = dispatcherOf({ url: database.url, targets, ...options }, things.log).run(stop.signal);
    const stopped = async () => {
      stop.abort();
      await running;
    };
    closing.push(stopped);
    return stopped;
  };
  const all = async (hookId: number): Promise<DeliveryRow[]> =>
    (await deliveries.list(hookId, {}, { offset: 0, limit: 1_000 }))[0];
  const settled = async (hookId: number, count: number): Promise<DeliveryRow[]> => {
    await until(async () => (await all(hookId)).filter(({ settledAt }) => settledAt).length >= count);
    return all(hookId);
  };

  const position = async (): Promise<number> => {
    const [row] = await db.rows<{ position: number }>('select position from deliveries.checkpoint');
    return row?.position ?? -1;
  };

  it('sends each event to each hook, in order, under ids that follow from event and hook', async () => {
    const [one, two] = [await receiver(), await receiver()];
    const ids = [...(await things.happen(3)), ...(await things.happen(2))];
    dispatch({ 1: one.target, 2: two.target });
    await Promise.all([settled(1, 5), settled(2, 5)]);
    for (const [hookId, { received }] of [
      [1, one],
      [2, two],
    ] as const) {
      expect(received.map(({ n }) => n)).deep.equals([0, 1, 2, 3, 4]);
      expect(received.map(({ id }) => id)).deep.equals(
        ids.map((id) => deliveryId(id, { hookId, key: 'happened' })),
      );
    }
    expect(one.received[0]?.headers).include({
      'x-forgejo-event': 'thing',
      'x-forgejo-event-type': 'thing_happened',
    });
  });

  it('sends what happens while it runs', async () => {
    const one = await receiver();
    dispatch({ 1: one.target });
    for (let n = 0; n < 5; n++) {
      await things.happen();
      await one.has(n + 1);
    }
    expect(one.numbers).deep.equals([0, 1, 2, 3, 4]);
  });

  it('goes on where it was, and plans nothing twice', async () => {
    const one = await receiver();
    const stop = dispatch({ 1: one.target });
    await things.happen(2);
    await settled(1, 2);
    await stop();
    await things.happen(2);
    dispatch({ 1: one.target });
    await settled(1, 4);
    expect(one.received.map(({ n }) => n)).deep.equals([0, 1, 2, 3]);
  });

  it('shares the work with others, still in order', async () => {
    const one = await receiver();
    for (let i = 0; i < 3; i++) dispatch({ 1: one.target });
    for (let i = 0; i < 10; i++) await things.happen(5);
    await settled(1, 50);
    expect(one.received.map(({ n }) => n)).deep.equals(Array.from({ length: 50 }, (_, n) => n));
  });

  it('delays no hook for one that does not answer', async () => {
    const held: ServerResponse[] = [];
    const [dead, quick] = [await receiver((response) => held.push(response)), await receiver()];
    dispatch({ 1: dead.target, 2: quick.target });
    await things.happen(20);
    await Promise.all([settled(2, 20), dead.has(1)]);
    expect(quick.numbers).length(20);
    expect(dead.numbers).deep.equals([0]); // more than once where the lease of its lane ran out meanwhile
    for (const response of held) response.destroy();
  });

  it('does not let a retry hold back what comes after', async () => {
    const one = await receiver((response, { n }) => response.writeHead(n === 0 ? 503 : 200).end());
    const now = new Date(); // stands still: the retry is due at no time
    dispatch({ 1: one.target }, { now: () => now });
    await things.happen(3);
    await settled(1, 2);
    expect(one.received.map(({ n }) => n)).deep.equals([0, 1, 2]);
    const [waiting] = (await all(1)).filter(({ status }) => status === 'pending');
    expect(waiting).include({ attempts: 1, responseStatus: 503 });
  });

  it('tries again when the time has come, with the same id, until it is through', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    let answer = 503;
    const one = await receiver((response) => response.writeHead(answer).end());
    dispatch({ 1: one.target }, { now: () => new Date(now) });
    await things.happen();
    const due = async (attempts: number) => {
      await until(async () => (await all(1)).some((delivery) => delivery.attempts === attempts));
      return (await all(1))[0]?.dueAt?.getTime() ?? NaN;
    };
    for (const attempts of [1, 2, 3]) {
      const pause = PAUSES_MS[attempts - 1] ?? NaN;
      const dueAt = await due(attempts);
      expect(dueAt - now).within(pause, pause * 1.1);
      if (attempts === 3) answer = 200;
      now = dueAt;
    }
    const [delivery] = await settled(1, 1);
    expect(delivery).include({ status: 'delivered', attempts: 4 });
    expect(new Set(one.received.map(({ id }) => id)).size).equals(1);
  });

  it('gives up after twelve hours, and says so', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const begun = now;
    const one = await receiver((response) => response.writeHead(500).end());
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => lines.push(line) });
    dispatch({ 1: one.target }, { now: () => new Date(now), logger });
    await things.happen();
    for (let attempts = 1; attempts <= PAUSES_MS.length; attempts++) {
      await until(async () => (await all(1)).some((delivery) => delivery.attempts === attempts));
      now = (await all(1))[0]?.dueAt?.getTime() ?? NaN;
    }
    const [delivery] = await settled(1, 1);
    expect(delivery).include({ status: 'failed', attempts: PAUSES_MS.length + 1, responseStatus: 500 });
    expect((now - begun) / 3_600_000).within(11.5, 13.5);
    expect(await deliveries.counts()).deep.equals({ pending: 0, failed: 1 });
    await until(() => lines.length > 0);
    expect(JSON.parse(lines.join())).include({
      msg: 'a delivery failed for good',
      hook: 1,
      delivery: delivery?.id,
      answered: 500,
    });
  });

  it('waits as long as a receiver that has too much to do asks it to', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const one = await receiver((response) => response.writeHead(429, { 'Retry-After': '1800' }).end());
    dispatch({ 1: one.target }, { now: () => new Date(now) });
    await things.happen();
    await until(async () => (await all(1)).some(({ attempts }) => attempts === 1));
    const [delivery] = await all(1);
    expect(delivery).include({ status: 'pending', responseStatus: 429 });
    expect(Number(delivery?.dueAt) - now).within(1_800_000, 1_800_000 * 1.1);
  });

  it('gives up what a receiver that is away was not sent within twelve hours', async () => {
    const one = await receiver((response) => response.writeHead(500).end());
    await things.happen(3);
    const now = new Date(Date.now() + 13 * 3_600_000); // stands still: the retry is due at no time
    dispatch({ 1: one.target }, { now: () => now });
    const [last, second, first] = await settled(1, 2);
    expect(one.received).length(1);
    expect(first).include({ status: 'pending', attempts: 1 });
    for (const never of [second, last])
      expect(never).include({ status: 'failed', attempts: 0, error: 'the receiver did not keep up' });
  });

  it('reads the target at delivery, and skips a hook that is gone', async () => {
    const [one, two] = [await receiver(), await receiver()];
    const target = { now: one.target as HookTarget | undefined };
    dispatch({ 1: one.target }, { findTarget: () => Promise.resolve(target.now) });
    await things.happen();
    await settled(1, 1);
    target.now = two.target;
    await things.happen();
    await settled(1, 2);
    target.now = undefined;
    await things.happen();
    const [last] = await settled(1, 3);
    expect(last).include({ status: 'skipped', attempts: 0, attemptedAt: null });
    expect([one.numbers, two.numbers]).deep.equals([[0], [1]]);
  });

  it('keeps what the last attempt sent and got if the hook is gone before the next', async () => {
    let now = Date.now();
    const one = await receiver((response) => response.writeHead(503).end('later'));
    const target = { now: one.target as HookTarget | undefined };
    const findTarget = () => Promise.resolve(target.now);
    dispatch({ 1: one.target }, { findTarget, now: () => new Date(now) });
    const [id = ''] = await things.happen();
    await until(async () => (await all(1)).some(({ attempts }) => attempts === 1));
    target.now = undefined;
    now += 60_000;
    const [skipped] = await settled(1, 1);
    expect(skipped).include({ status: 'skipped', attempts: 1, responseStatus: 503 });
    expect(skipped?.attemptedAt).instanceOf(Date);
    const details = await deliveries.find(1, deliveryId(id, { hookId: 1, key: 'happened' }));
    expect(details?.request?.url).equals(one.target.url);
    expect(details?.response?.body).equals('later');
    expect(one.received).length(1);
  });

  it('tells a hook that is gone what was frozen for it, which nobody can read in the table', async () => {
    const one = await receiver();
    const target = { ...one.target, secret: 'a secret', authorizationHeader: 'Bearer token' };
    const about = [undefined, 7, 7, 8];
    for (const [n, repositoryId] of about.entries())
      await deliveries.send({ ...planned(1, n), ...(repositoryId && { repositoryId }) }, randomUUID());
    expect(await deliveries.listAwaited(1)).to.have.members([null, 7, 8]);
    for (const repositoryId of [null, 7])
      await deliveries.freeze(1, repositoryId, (id) => freeze(KEY, id, target));
    expect(await deliveries.listAwaited(1)).deep.equals([8]);
    await deliveries.forget(1);
    const rows = await db.rows<{ frozen: Buffer }>('select frozen from deliveries.deliveries');
    for (const { frozen } of rows) expect(frozen.toString('latin1')).not.contains('secret');
    dispatch({}, { findTarget: () => Promise.resolve(undefined) });
    await settled(1, 3);
    expect(one.numbers).deep.equals([0, 1, 2]);
    expect(one.received[0]?.headers.authorization).equals('Bearer token');
  });

  it('tells a hook that goes while what waits for it is looked up, and keeps its secrets no longer', async () => {
    const one = await receiver();
    const target = { ...one.target, secret: 'a secret' };
    for (let n = 0; n < 3; n++) await deliveries.send(planned(1, n), randomUUID());
    const findTarget = async () => {
      await deliveries.freeze(1, null, (id) => freeze(KEY, id, target));
      return undefined;
    };
    dispatch({}, { findTarget });
    await settled(1, 3);
    expect(one.numbers).deep.equals([0, 1, 2]);
    const rows = await db.rows('select from deliveries.deliveries where frozen is not null');
    expect(rows).length(0);
  });

  it('reaches no local network unless that is allowed', async () => {
    const one = await receiver();
    dispatch({ 1: one.target }, { rules: { allowLocalNetworks: false } });
    await things.happen();
    const [delivery] = await settled(1, 1);
    expect(delivery?.status).equals('failed');
    expect(delivery?.error).contains('may not be reached');
    expect(one.received).length(0);
  });

  for (const status of [301, 302, 303, 307, 308])
    it(`follows no redirect: ${status}`, async () => {
      const two = await receiver();
      const one = await receiver((response) =>
        response.writeHead(status, { location: two.target.url }).end(),
      );
      dispatch({ 1: one.target });
      await things.happen();
      const [delivery] = await settled(1, 1);
      expect(delivery).include({ status: 'failed', responseStatus: status });
      expect(two.received).length(0);
    });

  it('gives deliveries ids that look random and stay the same', () => {
    const id = deliveryId('event', { hookId: 1, key: 'push' });
    expect(id).matches(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deliveryId('event', { hookId: 1, key: 'push' })).equals(id);
    expect(deliveryId('event', { hookId: 2, key: 'push' })).not.equals(id);
  });

  it('keeps what was sent and answered, with the token masked and 64 KiB of the body', async () => {
    const one = await receiver((response) =>
      response.writeHead(200, { 'x-answer': 'yes' }).end(`\0\0${'é'.repeat(200_000)}`),
    );
    dispatch({ 1: { ...one.target, authorizationHeader: 'Bearer token' } });
    const [event = ''] = await things.happen();
    await settled(1, 1);
    const id = deliveryId(event, { hookId: 1, key: 'happened' });
    const details = await deliveries.find(1, id);
    expect(details).include({ id, status: 'delivered', attempts: 1, responseStatus: 200 });
    expect(details?.request?.url).equals(one.target.url);
    expect(details?.request?.headers.Authorization).equals('******');
    expect(details?.payload).equals(one.received[0]?.body);
    expect(details?.response?.headers['x-answer']).equals('yes');
    expect(details?.response?.body).equals(`\0\0${'é'.repeat(32_767)}`);
    expect((await all(1))[0]?.responseStatus).equals(200);
    expect(await deliveries.find(2, id)).equals(undefined);
  });

  it('takes no longer than it may for an answer that trickles', async () => {
    const one = await receiver((response) => {
      response.writeHead(200).write('slow');
    });
    dispatch({ 1: one.target }, { timeoutMs: 3_000 });
    await things.happen();
    const [delivery] = await settled(1, 1);
    expect(delivery?.status).equals('delivered'); // the status has said so
  });

  it('waits for the read models', async () => {
    const one = await receiver();
    const passed: bigint[] = [];
    let asked = 0;
    const reached = (position: bigint) => {
      passed.push(position);
      return Promise.resolve(++asked > 1);
    };
    dispatch({ 1: one.target }, { reached });
    await things.happen();
    await one.has(1);
    expect(passed.slice(0, 2)).deep.equals(Array(2).fill(await things.store.lastPosition()));
  });

  it('writes what it has planned before it holds too many large payloads', async () => {
    await things.happen(16);
    const payload = JSON.stringify('x'.repeat(8 * 1024 * 1024));
    const queued = async () =>
      (await db.rows<{ id: string }>(sql`select id from deliveries.deliveries order by sequence`)).map(
        ({ id }) => id,
      );
    const plannedAfter: number[] = [];
    const ids: string[] = [];
    dispatch(
      {},
      {
        plan: async function* (event) {
          plannedAfter.push((await queued()).length);
          ids[numberOf(event)] = deliveryId(event.id, { hookId: 1, key: 'happened' });
          yield { ...planned(1, numberOf(event)), payload };
        },
      },
    );
    await until(async () => (await queued()).length === 16);
    expect(plannedAfter.at(-1)).to.be.greaterThan(0);
    expect(await queued()).deep.equals(ids);
  });

  it('writes the deliveries of one event in parts if they are too large together, each once and in order', async () => {
    const payload = JSON.stringify('x'.repeat(8 * 1024 * 1024));
    const queued = () => db.rows<{ id: string }>(sql`select id from deliveries.deliveries order by sequence`);
    const ids: string[] = [];
    const plannedAfter: number[] = [];
    let fails = true;
    const plan = async function* (event: DomainEvent) {
      if (numberOf(event) !== 1) yield planned(1, numberOf(event));
      else
        for (let nth = 0; nth < 9; nth++) {
          plannedAfter[nth] = (await queued()).length;
          if (nth === 8 && fails) {
            fails = false;
            throw new Error('only once');
          }
          ids[nth] = deliveryId(event.id, { hookId: 1, key: `${nth}` });
          yield { ...planned(1, nth), key: `${nth}`, payload };
        }
    };
    await things.happen(3);
    dispatch({}, { plan });
    await until(async () => (await queued()).length === 11);
    expect((await queued()).slice(1, -1).map(({ id }) => id)).deep.equals(ids);
    expect(plannedAfter.at(-1)).equals(9);
  });

  it('passes over an event that cannot be planned, and goes on', async () => {
    const one = await receiver();
    const plan: TestDispatcherOptions['plan'] = (event) => {
      if (numberOf(event) === 0) throw new Error('no plan');
      return [planned(1, numberOf(event))];
    };
    dispatch({ 1: one.target }, { plan });
    await things.happen(2);
    await settled(1, 1);
    expect(one.numbers).deep.equals([1]);
  });

  it('does what comes afterwards when the deliveries are written', async () => {
    const one = await receiver();
    const written: number[] = [];
    const afterwards = () => async () => {
      written.push((await all(1)).length);
    };
    dispatch({ 1: one.target }, { afterwards });
    await things.happen();
    await settled(1, 1);
    await until(() => written.length > 0);
    expect(written).deep.equals([1]);
  });

  it('does not write again what comes afterwards took away', async () => {
    const one = await receiver();
    const afterwards = (event: DomainEvent) =>
      numberOf(event) === 0
        ? async () => {
            await settled(1, 1);
            await deliveries.forget(1);
          }
        : undefined;
    dispatch({ 1: one.target }, { afterwards });
    await things.happen();
    await one.has(1);
    await until(async () => (await all(1)).length === 0);
    await things.happen();
    await settled(1, 1);
    expect(one.received.map(({ n }) => n)).deep.equals([0, 1]);
  });

  it('does not bring back what was taken away, where it is cut off then', async () => {
    const one = await receiver();
    let done = false;
    const afterwards = (event: DomainEvent) =>
      numberOf(event) === 1
        ? async () => {
            if (done) return;
            await settled(1, 2);
            await deliveries.forget(1);
            done = true;
            await db.rows(`
              select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and application_name like 'test-dispatcher %'`);
          }
        : undefined;
    await things.happen(2);
    dispatch({ 1: one.target }, { afterwards });
    await until(() => done);
    await things.happen();
    await until(() => one.received.some(({ n }) => n === 2));
    expect(one.received.filter(({ n }) => n === 0)).length(1);
  });

  it('writes nothing of what another has passed meanwhile', async () => {
    const one = await receiver();
    const plan = async function* (event: DomainEvent) {
      if (numberOf(event) === 0)
        await db.rows(sql`update deliveries.checkpoint set position = ${String(event.position)}::int8`);
      yield planned(1, numberOf(event));
    };
    dispatch({ 1: one.target }, { plan, afterwards: () => () => Promise.resolve() });
    await things.happen();
    await until(async () => (await position()) > 0);
    await things.happen();
    await settled(1, 1);
    expect(one.numbers).deep.equals([1]);
  });

  describe('asked by people', () => {
    it('sends again, one or a range, under the same id', async () => {
      let answer = 404;
      const one = await receiver((response) => response.writeHead(answer).end());
      dispatch({ 1: one.target });
      await things.happen(3);
      const failed = await settled(1, 3);
      answer = 200;
      const [last] = failed;
      expect(await deliveries.redeliver(1, last?.id ?? '')).equals(true);
      await one.has(4);
      expect(one.received[3]?.id).equals(last?.id);
      await settled(1, 3);
      expect(await deliveries.redeliverRange(1, { status: 'failed' })).equals(2);
      await until(async () => (await all(1)).every(({ status }) => status === 'delivered'));
      expect(one.received.slice(4).map(({ n }) => n)).deep.equals([0, 1]);
    });

    it('redelivers at once where its clock is behind that of the database', async () => {
      const one = await receiver();
      dispatch({ 1: one.target }, { now: () => new Date(Date.now() - 3_600_000) });
      await things.happen();
      const [delivery] = await settled(1, 1);
      expect(await deliveries.redeliver(1, delivery?.id ?? '')).equals(true);
      await one.has(2);
    });

    it('redelivers nothing of others, of other times, or that is not there', async () => {
      const one = await receiver();
      dispatch({ 1: one.target });
      await things.happen();
      const [delivery] = await settled(1, 1);
      const id = delivery?.id ?? '';
      expect(await deliveries.redeliver(2, id)).equals(false);
      expect(await deliveries.redeliver(1, randomUUID())).equals(false);
      const created = delivery?.createdAt ?? new Date();
      expect(await deliveries.redeliverRange(1, { until: created })).equals(0);
      expect(await deliveries.redeliverRange(1, { since: new Date(created.getTime() + 1000) })).equals(0);
      expect(await deliveries.redeliverRange(1, { since: created })).equals(1);
    });

    it('sends what follows from no event', async () => {
      const one = await receiver();
      dispatch({ 1: one.target });
      const id = randomUUID();
      await deliveries.send(planned(1, 7), id);
      await settled(1, 1);
      expect(one.received.map((received) => [received.id, received.n])).deep.equals([[id, 7]]);
    });

    it('forgets an account, and what may be of its texts', async () => {
      const one = await receiver();
      const user = { id: 7, login: 'alice' };
      const ghost = { id: -1, login: 'Ghost' };
      const payloads = [
        { comment: { body: 'mine', user } },
        { comment: { body: 'mine', user: ghost } },
        { comment: { body: 'theirs', user: { ...user, id: 8 } }, sender: ghost },
        { label: { id: 7 } },
        { comment: { body: '(erased)', user: ghost } },
      ];
      const plan = (event: DomainEvent) => {
        const n = numberOf(event);
        return [{ ...planned(1, n), payload: JSON.stringify({ n, ...payloads[n] }) }];
      };
      dispatch({ 1: one.target }, { plan });
      await things.happen(payloads.length);
      await settled(1, payloads.length);
      const kept = (await all(1)).slice(0, 3);
      await deliveries.forgetAccount(7);
      expect(await all(1)).deep.equals(kept);
    });

    it('forgets an account part by part, however much there is', async () => {
      await db.rows(`
        with payloads as (
          insert into deliveries.payloads (digest, text)
          select sha256(text::bytea), text from generate_series(1, 900) n,
            lateral (select jsonb_build_object('id', 7 + n % 2, 'login', 'somebody') as user_of) u,
            lateral (select jsonb_build_object('n', n, 'sender', user_of)::text as text) t
          returning digest
        )
        insert into deliveries.deliveries (id, hook_id, event, event_type, payload_digest, status, settled_at)
        select gen_random_uuid(), 1, 'push', 'push', digest, 'delivered', now() from payloads, generate_series(1, 2)`);
      let statements = 0;
      const counting = {
        rows: <R extends object = Row>(statement: Statement | string) => {
          statements += 1;
          return db.rows<R>(statement);
        },
      };
      await new Deliveries(counting).forgetAccount(7);
      const [left] = await db.rows<{ all: number; others: number }>(`
        select count(*) as all, count(*) filter (where text::jsonb @> '{"sender": {"id": 8}}') as others
        from deliveries.payloads full join deliveries.deliveries on payload_digest = digest
        where text is distinct from '{}'`);
      expect(left).deep.equals({ all: 900, others: 900 });
      expect(statements).greaterThan(4);
    });

    it('forgets a hook part by part, and sends all of it again so, however much there is', async () => {
      await db.rows(`
        insert into deliveries.deliveries (id, hook_id, event, event_type, payload_digest, status, retry, settled_at, frozen)
        select gen_random_uuid(), 1 + n % 2, 'push', 'push', ${EMPTY}, status, true, case when status <> 'pending' then now() end,
          case when status = 'pending' then '\\x00'::bytea end
        from generate_series(1, 1800) n, lateral (select case when n > 1700 then 'pending' else 'failed' end as status) s`);
      const ofHook = async (hookId: number) =>
        (await deliveries.list(hookId, {}, { offset: 0, limit: 1 }))[1];
      let most = 0;
      const watched = {
        async rows<R extends object = Row>(statement: Statement | string) {
          const states = () =>
            db.rows<{ state: string }>(
              `select concat(xmin, status) as state from deliveries.deliveries order by id`,
            );
          const before = new Set((await states()).map(({ state }) => state));
          const rows = await db.rows<R>(statement);
          const after = await states();
          const changed = after.filter(({ state }) => !before.has(state)).length;
          most = Math.max(most, changed, total - after.length);
          total = after.length;
          return rows;
        },
      };
      let total = 1800;
      const parts = new Deliveries(watched);
      expect(await parts.redeliverRange(2, { status: 'failed' })).equals(850);
      await parts.forget(1);
      expect([await ofHook(1), await ofHook(2)]).deep.equals([50, 900]);
      expect((await deliveries.list(2, { status: 'pending' }, { offset: 0, limit: 1 }))[1]).equals(900);
      expect(most).within(1, 200);
    });

    it('sends again what was there, not what comes meanwhile', async () => {
      const add = () =>
        db.rows(`
          insert into deliveries.deliveries (id, hook_id, event, event_type, payload_digest, status, settled_at)
          values (gen_random_uuid(), 1, 'push', 'push', ${EMPTY}, 'delivered', now())`);
      let more = 10;
      const busy = {
        async rows<R extends object = Row>(statement: Statement | string) {
          const rows = await db.rows<R>(statement);
          if (more-- > 0) await add();
          return rows;
        },
      };
      await add();
      expect(await new Deliveries(busy).redeliverRange(1, {})).equals(1);
    });

    it('freezes what waits part by part, without a look at what was sent', async () => {
      await db.rows(`
        insert into deliveries.deliveries (id, hook_id, event, event_type, payload_digest, status, settled_at)
        select gen_random_uuid(), 1, 'push', 'push', ${EMPTY}, status, case when status <> 'pending' then now() end
        from generate_series(1, 2500) n, lateral (select case when n > 2000 then 'pending' else 'failed' end as status) s`);
      let statements = 0;
      const counting = {
        rows<R extends object = Row>(statement: Statement | string) {
          statements += 1;
          return db.rows<R>(statement);
        },
      };
      await new Deliveries(counting).freeze(1, null, () => Buffer.of(1));
      expect(statements).equals(1 + Math.ceil(500 / 200));
      const [row] = await db.rows<{ status: string; count: number }>(
        'select status, count(*) as count from deliveries.deliveries where frozen is not null group by status',
      );
      expect(row).deep.equals({ status: 'pending', count: 500 });
    });

    it('forgets a hook', async () => {
      const one = await receiver();
      dispatch({ 1: one.target, 2: one.target });
      await things.happen();
      await Promise.all([settled(1, 1), settled(2, 1)]);
      await deliveries.forget(1);
      expect([await all(1), (await all(2)).length]).deep.equals([[], 1]);
    });
  });

  it('keeps deliveries for a week after they were settled', async () => {
    const one = await receiver();
    const stop = dispatch({ 1: one.target });
    await things.happen(2);
    const [, first] = await settled(1, 2);
    await stop(); // or it may be the one that removes
    await db.rows(
      `update deliveries.deliveries set settled_at = now() - interval '7 days 1 minute' where id = '${first?.id}'`,
    );
    expect(await removeOldDeliveries(db)).equals(1);
    expect((await all(1)).map(({ id }) => id)).not.contains(first?.id);
    expect(await all(1)).length(1);
  });

  it('keeps payloads for as long as a delivery sends them, and those that were just stored', async () => {
    const [sent, left, fresh] = ['sent', 'left', 'fresh'].map((payload, n) => ({
      ...planned(1, n),
      payload,
      id: randomUUID(),
    }));
    if (!sent || !left || !fresh) throw new Error('three are made');
    await db.rows('delete from deliveries.payloads');
    await insertDeliveries(db, [sent, left]);
    await db.rows(`update deliveries.payloads set queued_at = now() - interval '7 days 1 minute'`);
    await insertDeliveries(db, [fresh]);
    await db.rows(sql`delete from deliveries.deliveries where id in (${left.id}, ${fresh.id})`);
    const texts = async () =>
      (await db.rows<{ text: string }>('select text from deliveries.payloads order by text')).map(
        ({ text }) => text,
      );
    expect(await removeOldPayloads(db)).equals(1);
    expect(await texts()).deep.equals(['fresh', 'sent']);
    await db.rows('delete from deliveries.deliveries');
    await insertDeliveries(db, [sent]);
    await db.rows('delete from deliveries.deliveries');
    expect(await removeOldPayloads(db)).equals(0); // stored again
  });
});
