import { expect } from 'chai';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MAX_BATCH, MAX_CHARACTERS, prefetched } from '../../../projections/engine/prefetch.js';
import type { EventSource } from '../../../projections/engine/event-source.js';
import { eventually, person, scored } from './support.js';
import { TestLog } from './test-log.js';

const START = { position: -1n, recordedAt: new Date(0) };

/** A source, and how many events were read of it. */
function counting(source: EventSource): EventSource & { read(): number } {
  let read = 0;
  return {
    read: () => read,
    async *subscribe(after, options) {
      for await (const batch of source.subscribe(after, options)) {
        read += batch.events.length;
        yield batch;
      }
    },
  };
}

describe('reading ahead', () => {
  const threads: Worker[] = [];
  after(() => Promise.all(threads.map((thread) => thread.terminate())));

  it('gives what came meanwhile in one batch, in order, and no more than one batch holds', async () => {
    const log = new TestLog(100);
    log.append(...Array.from({ length: 3 * MAX_BATCH }, () => scored(1, 1)));
    const stop = new AbortController();
    const sizes: number[] = [];
    const positions: bigint[] = [];
    for await (const { events, caughtUp } of prefetched(log, START, stop.signal)) {
      sizes.push(events.length);
      positions.push(...events.map(({ position }) => position));
      if (caughtUp) stop.abort();
      else await eventually(() => new Promise((resolve) => setImmediate(resolve, true)));
    }
    expect(positions).to.deep.equal(log.events.map(({ position }) => position));
    expect(Math.max(...sizes))
      .to.be.at.most(MAX_BATCH)
      .and.above(100);
  });

  it('gives the rest of what came in a batch of its own, and says only then that there is no more', async () => {
    const log = new TestLog(2 * MAX_BATCH);
    log.append(...Array.from({ length: MAX_BATCH + 1 }, () => scored(1, 1)));
    const stop = new AbortController();
    const given: [number, boolean][] = [];
    for await (const { events, caughtUp } of prefetched(log, START, stop.signal)) {
      given.push([events.length, caughtUp]);
      if (caughtUp) stop.abort();
    }
    expect(given).to.deep.equal([
      [MAX_BATCH, false],
      [1, true],
    ]);
  });

  it('gives few events with long texts at once, and reads no more of them ahead', async () => {
    const [name, count] = ['x'.repeat(MAX_CHARACTERS / 4), 20];
    const log = new TestLog(1);
    log.append(...Array.from({ length: count }, (_, id) => person(id, name)), scored(1, 1));
    const counted = counting(log);
    const stop = new AbortController();
    const [sizes, positions]: [number[], bigint[]] = [[], []];
    let taken = 0;
    for await (const { events, caughtUp } of prefetched(counted, START, stop.signal)) {
      sizes.push(events.length);
      positions.push(...events.map(({ position }) => position));
      taken += events.length;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(counted.read() - taken).to.be.at.most(5);
      if (caughtUp) stop.abort();
    }
    expect(Math.max(...sizes)).to.equal(4);
    expect(positions).to.deep.equal(log.events.map(({ position }) => position));
  });

  it('does not run away from a consumer that takes nothing', async () => {
    const log = new TestLog(100);
    log.append(...Array.from({ length: 4 * MAX_BATCH }, () => scored(1, 1)));
    const counted = counting(log);
    const stop = new AbortController();
    const batches = prefetched(counted, START, stop.signal);
    await batches.next();
    for (let turn = 0; turn < 300; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(counted.read()).to.be.at.most(2 * MAX_BATCH);
    await batches.return(undefined);
  });

  it('leaves others their turn when it is aborted while there is no room for more', async () => {
    // In a thread, because the test could not fail here.
    const thread = new Worker(new URL('./aborted-reader.js', import.meta.url));
    threads.push(thread);
    expect(await once(thread, 'exit')).to.deep.equal([0]);
  });

  it('passes on what breaks the log', async () => {
    const broken: EventSource = {
      // oxlint-disable-next-line require-yield, typescript/require-await -- it never gets that far
      async *subscribe() {
        throw new Error('no log');
      },
    };
    const failure = await prefetched(broken, START, new AbortController().signal)
      .next()
      .catch((error: unknown) => error);
    expect(String(failure)).to.equal('Error: no log');
  });
});
