import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { connectTo } from '../../src/database/client.js';
import { fragment } from '../../src/database/sql.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { EventStoreUnavailable } from '../../src/event-store/event-store.js';
import { follow } from '../../src/followers/follow.js';
import type { Logger } from '../../src/logging/logger.js';
import { migrate } from '../../src/migrate/migrate.js';
import { silent } from '../projections/engine/silent.js';
import { TestLog } from '../projections/engine/test-log.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/process.js';

type Happened = DomainEvent<{ readonly type: 'Happened'; readonly data: { readonly nth: number } }>;
type Follower = Partial<Pick<Parameters<typeof follow<Happened>>[0], 'logger' | 'reached' | 'handle'>>;

const happened = (nth: number) => ({ type: 'Happened', data: { nth } });

describe('what follows the log', () => {
  let scratch: TestDatabase;
  let log: TestLog;
  /** The events that were handled, by their numbers. */
  let handled: number[];

  beforeEach(async () => {
    scratch = await testDatabase();
    await migrate(scratch.url, ['projector', 'erasures']);
    log = new TestLog();
    handled = [];
  });
  afterEach(() => scratch.drop());

  /** Follows the log; returns what stops that. */
  function start(follower: Follower = {}): () => Promise<void> {
    const stop = new AbortController();
    const running = follow<Happened>(
      {
        database: { url: scratch.url, applicationName: 'test-follower' },
        log,
        logger: silent,
        lease: 'test',
        checkpoint: fragment`erasures.checkpoint`,
        concerns: (event): event is Happened => event.type === 'Happened',
        reached: () => Promise.resolve(true),
        handle: ({ data }) => Promise.resolve(void handled.push(data.nth)),
        ...follower,
      },
      stop.signal,
    );
    return async () => {
      stop.abort();
      await running;
    };
  }

  it('does again what a stop cut off, and all behind it', async () => {
    log.append(happened(1), happened(2));
    let tries = 0;
    const stop = start({
      handle() {
        tries += 1;
        return Promise.reject(new EventStoreUnavailable('away'));
      },
    });
    await until(() => tries > 0);
    await stop();
    const stopNext = start();
    await until(() => handled.includes(2));
    await stopNext();
    expect(handled).to.deep.equal([1, 2]);
  });

  it('does nothing before the read models show the event', async () => {
    const position = log.append(happened(1));
    const asked: bigint[] = [];
    const stop = start({
      reached(up) {
        asked.push(up);
        return Promise.resolve(asked.length > 1);
      },
      handle: ({ data }) => Promise.resolve(void handled.push(data.nth, asked.length)),
    });
    await until(() => handled.length > 0);
    await stop();
    expect(handled).to.deep.equal([1, 2]);
    expect(asked).to.deep.equal([position, position]);
  });

  it('is done once, however many processes stand by', async () => {
    const stops = [start(), start()];
    log.append(happened(1), { type: 'Other', data: {} }, happened(2));
    await until(() => handled.length > 1);
    const last = log.append(happened(3));
    await until(() => handled.includes(3));
    for (const stop of stops) await stop();
    expect(handled).to.deep.equal([1, 2, 3]);
    log.append(happened(4));
    const from: bigint[] = [];
    const subscribe = log.subscribe.bind(log);
    log.subscribe = (after, options) => {
      from.push(after);
      return subscribe(after, options);
    };
    const stop = start();
    await until(() => handled.includes(4));
    await stop();
    expect(from).to.deep.equal([last]);
  });

  it('is given up only when what is under way is done', async () => {
    const others = await connectTo(scratch.url, 'test');
    log.append(happened(1));
    let goOn: () => void = () => undefined;
    const stopping = new Promise<void>((resolve) => (goOn = resolve));
    let begun = false;
    let leases: number | null = null;
    const stop = start({
      async handle() {
        begun = true;
        await stopping;
        await sleep(200); // long enough to give it up
        leases = (await others.query('select from projector.leases')).rowCount;
      },
    });
    await until(() => begun);
    const stopped = stop();
    goOn();
    await stopped;
    expect(leases).to.equal(1);
    await others.end();
  });

  it('is stopped by whoever takes it over or moves its checkpoint, which is told, and begins again', async () => {
    const told: string[] = [];
    const warn = ({ err }: { readonly err: Error }) => void told.push(err.message);
    const stop = start({ logger: { warn } as unknown as Logger });
    const others = await connectTo(scratch.url, 'test');
    log.append(happened(1));
    await until(() => handled.length > 0);
    await others.query(`update projector.leases set holder = 'another', expires_at = 'infinity'`);
    await until(() => told.length > 0);
    log.append(happened(2));
    await others.query(`update projector.leases set expires_at = '-infinity'`);
    await until(() => handled.length > 1);

    await others.query('update erasures.checkpoint set position = 0');
    log.append(happened(3));
    await until(() => told.length > 1);
    await others.end();
    await stop();
    expect(told).to.deep.equal(['another process has taken over', 'another process follows the log']);
  });
});
