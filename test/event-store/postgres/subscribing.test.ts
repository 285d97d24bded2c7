import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import {
  EventStoreUnavailable,
  START,
  type Position,
  type RecordedEvent,
} from '../../../src/event-store/event-store.js';
import { PostgresEventStore } from '../../../src/event-store/postgres/postgres-event-store.js';
import { NOBODYS_PORT } from '../../support/nobodys-port.js';
import { until } from '../../support/process.js';
import { gather, newStream, sample, sampleOf, samples } from '../contract/samples.js';
import { testLog, type TestLog } from './log.js';
import { recordStatements } from './statements.js';

describe('PostgresEventStore, subscribing', () => {
  let log: TestLog;
  let store: PostgresEventStore;

  before(async () => {
    log = await testLog();
    store = new PostgresEventStore({ url: log.url, timeLimit: 60_000 });
  });
  after(async () => {
    await store.close();
    await log.drop();
  });

  it('knows no position in an empty log', async () => {
    expect(await store.lastPosition()).to.equal(START);
    expect(await store.positionAt(new Date())).to.equal(START);
  });

  it('never shows a position behind a checkpoint while four processes append', async () => {
    const shared = newStream();
    const writers = [0, 1, 2, 3].map(() =>
      fork(new URL('./writer.js', import.meta.url), [log.url, shared, '40'], { execArgv: [] }),
    );
    let over = false;
    const ended = Promise.all(writers.map((writer) => once(writer, 'exit'))).then((codes) => {
      over = true;
      expect(codes.map(([code]) => code as number)).to.deep.equal([0, 0, 0, 0]);
    });
    const eachPosition = async () => {
      const page = {
        name: 'positions',
        text: 'select position from events.log where position > $1 order by position',
      };
      let checkpoint = 0;
      for (;;) {
        const last = over;
        const { rows } = await log.admin.query<{ position: unknown }>({ ...page, values: [checkpoint] });
        for (const { position } of rows) expect(Number(position)).to.equal(++checkpoint);
        if (last) return checkpoint;
      }
    };
    const written = 4 * 4 * Array.from({ length: 40 }, (_, n) => 1 + (n % 3)).reduce((sum, n) => sum + n, 0);
    const subscribed = async () => {
      const leaving = new AbortController();
      const positions: Position[] = [];
      for await (const { events } of store.subscribe(START, { signal: leaving.signal, maxBatch: 50 })) {
        positions.push(...events.map(({ position }) => position));
        if (positions.length >= written) leaving.abort();
      }
      return positions;
    };
    const [checkpoint, positions] = await Promise.all([eachPosition(), subscribed(), ended]);
    expect(checkpoint).to.equal(written);
    expect(positions).to.deep.equal(Array.from({ length: written }, (_, n) => BigInt(n + 1)));
  });

  it('tells that the server does not answer, and asks on', async () => {
    const leaving = new AbortController();
    const told: unknown[] = [];
    const unheard = new PostgresEventStore({
      url: `postgresql://127.0.0.1:${NOBODYS_PORT}/x`,
      timeLimit: 50,
      onError(error) {
        if (told.push(error) === 2) leaving.abort();
      },
    });
    for await (const { events } of unheard.subscribe(START, { signal: leaving.signal }))
      expect.fail(`${events.length} events`);
    await unheard.close();
    expect(told).to.have.length(2);
    for (const error of told) expect(error).to.be.instanceOf(EventStoreUnavailable);
  });

  it('delivers what it was not notified of', async () => {
    const after = await store.lastPosition();
    const stream = newStream();
    const leaving = new AbortController();
    for await (const { events } of store.subscribe(after, { signal: leaving.signal })) {
      if (events.length > 0) leaving.abort();
      else await appendSilently(log, stream);
    }
    expect(await store.readStream(stream)).to.have.length(1);
  });

  it('reads at most one page ahead of a reader that takes its time', async () => {
    const after = await store.lastPosition();
    await store.append(newStream(), 'noStream', samples(100));
    const recorded = recordStatements();
    const pages = () => recorded.texts.filter(isPage).length;
    try {
      const leaving = new AbortController();
      let taken = 0;
      for await (const { events } of store.subscribe(after, { signal: leaving.signal, maxBatch: 10 })) {
        for (let pause = 0; pause < 5; pause++) await store.lastPosition();
        expect(events).to.have.length(10);
        expect(pages()).to.equal(++taken + 1);
        if (taken === 5) leaving.abort();
      }
    } finally {
      recorded.restore();
    }
  });

  it('bounds the bytes of a page', async () => {
    const after = await store.lastPosition();
    const half = 524_288;
    const streams = Array.from({ length: 20 }, newStream);
    await Promise.all(streams.map((stream) => store.append(stream, 'noStream', [sampleOf(half)])));
    const sizes: number[] = [];
    for await (const { events, caughtUp } of store.subscribe(after, {
      signal: new AbortController().signal,
    })) {
      sizes.push(events.length);
      if (caughtUp) break;
    }
    expect(sizes).to.deep.equal([8, 8, 4]);
  });

  it('shares one connection among all subscriptions', async () => {
    const after = await store.lastPosition();
    const stream = newStream();
    const readers = [1, 2, 3].map(() => gather(store, after, new Set([stream]), 1));
    await store.append(stream, 'noStream', [sample()]);
    await Promise.all(readers);
    const { rows } = await log.admin.query(`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'tallyforge-subscribe'`);
    expect(rows).to.have.length(1);
  });

  it('reads a page once for all subscriptions that stand at one place', async () => {
    /** How many pages three of them read of an append: they look by themselves now and then, which only adds to it. */
    const pagesOfAnAppend = async () => {
      const after = await store.lastPosition();
      const stream = newStream();
      const leaving = new AbortController();
      const { signal } = leaving;
      const atTheEnd: Promise<unknown>[] = [];
      const readers = [1, 2, 3].map(async () => {
        const taken: RecordedEvent[] = [];
        let reached: () => void = () => undefined;
        atTheEnd.push(new Promise<void>((resolve) => (reached = resolve)));
        for await (const { events } of store.subscribe(after, { signal })) {
          reached();
          taken.push(...events);
          if (taken.length > 0) return taken;
        }
        return taken;
      });
      await Promise.all(atTheEnd);
      const recorded = recordStatements();
      try {
        await store.append(stream, 'noStream', samples(2));
        const taken = await Promise.all(readers);
        for (const events of taken) expect(events.map(({ revision }) => revision)).to.deep.equal([0, 1]);
        return recorded.texts.filter(isPage).length;
      } finally {
        recorded.restore();
        leaving.abort();
      }
    };
    await until(async () => (await pagesOfAnAppend()) < 3);
  });

  it('reads less often what is appended without a pause, where it is told to, and all of it', async () => {
    const lookEveryMs = 200;
    const patient = new PostgresEventStore({ url: log.url, lookEveryMs });
    const after = await patient.lastPosition();
    const stream = newStream();
    const reading = gather(patient, after, new Set([stream]), 30);
    const recorded = recordStatements();
    const begun = performance.now();
    try {
      for (let revision = -1; revision < 29; revision++)
        await store.append(stream, revision < 0 ? 'noStream' : revision, [sample()]);
      expect((await reading).map(({ revision }) => revision)).to.deep.equal([...Array(30).keys()]);
      const looks = (performance.now() - begun) / lookEveryMs; // and no more of those that nothing wakes
      expect(recorded.texts.filter(isPage)).to.have.length.below(5 + 2 * looks);
    } finally {
      recorded.restore();
      await patient.close();
    }
  });
});

const isPage = (text: string) => text.includes('candidates');

/** As a writer that died between its commit and its NOTIFY. */
async function appendSilently({ admin }: TestLog, stream: string): Promise<void> {
  const { id, type } = sample();
  await admin.query(
    `select events.append(array[$1], array[-1], array[1], array[1], array[1], array[$2::uuid], array[$3], $4, $4, array[4])`,
    [stream, id, type, '{"{}"}'],
  );
}
