import { expect } from 'chai';
import {
  PositionNotInLog,
  START,
  type Batch,
  type EventStore,
  type RecordedEvent,
} from '../../../src/event-store/event-store.js';
import {
  answers,
  appendAtTail,
  gather,
  idsOf,
  newStream,
  rejection,
  sample,
  samples,
  withAnother,
  type Fixture,
} from './samples.js';

export function subscribing(fixture: Fixture): void {
  it('gives the whole history, then what comes', async () => {
    const { store } = fixture();
    const stream = newStream();
    const [history, live] = [samples(5), samples(2)];
    await store.append(stream, 'noStream', history);
    const leaving = new AbortController();
    const seen: RecordedEvent[] = [];
    for await (const { events, caughtUp } of store.subscribe(START, { signal: leaving.signal })) {
      seen.push(...events.filter((event) => event.stream === stream));
      if (caughtUp && seen.length === 5) await store.append(stream, 4, live);
      if (seen.length === 7) leaving.abort();
    }
    expect(idsOf(seen)).to.deep.equal(idsOf([...history, ...live]));
    expect(seen).to.deep.equal(await store.readStream(stream));
  });

  it('begins after a position', async () => {
    const { store } = fixture();
    const stream = newStream();
    const events = samples(6);
    await store.append(stream, 'noStream', events);
    const recorded = await store.readStream(stream);
    const after = recorded[2]?.position ?? START;
    const seen = await gather(store, after, new Set([stream]), 3);
    expect(idsOf(seen)).to.deep.equal(idsOf(events.slice(3)));
  });

  it('says once, by an empty batch, that there is nothing to catch up with', async () => {
    const { store } = fixture();
    const stream = newStream();
    await store.append(stream, 'noStream', [sample()]);
    const leaving = new AbortController();
    const batches: Batch[] = [];
    for await (const batch of store.subscribe(await store.lastPosition(), { signal: leaving.signal })) {
      batches.push(batch);
      if (batches.length === 1) await store.append(stream, 0, [sample()]);
      else leaving.abort();
    }
    expect(batches[0]).to.deep.equal({ events: [], caughtUp: true });
    expect(batches[1]?.events).to.have.length(1);
  });

  it('refuses to go on after what the log does not hold', async () => {
    const { store } = fixture();
    const { position } = await store.append(newStream(), 'noStream', [sample()]);
    const beyond = position + 1_000_000_000n;
    const { signal } = new AbortController();
    const refusal = await rejection(gather(store, beyond, new Set(['any']), 1), PositionNotInLog);
    expect(refusal.position).to.equal(beyond);
    for await (const { events } of store.subscribe(position, { signal })) {
      expect(events.filter((event) => event.position <= position)).to.deep.equal([]);
      break;
    }
  });

  it('catches up after a last batch that was full', async () => {
    const { store } = fixture();
    const after = await store.lastPosition();
    await store.append(newStream(), 'noStream', samples(10));
    let count = 0;
    for await (const batch of store.subscribe(after, { signal: new AbortController().signal, maxBatch: 5 })) {
      count += batch.events.length;
      if (batch.caughtUp) break;
    }
    expect(count).to.equal(10);
  });

  it('loses, doubles and disorders nothing while 16 writers append', async () => {
    const { store } = fixture();
    const after = await store.lastPosition();
    const { streams, written, done } = writers(store, 16, 15);
    const [seen, seenElsewhere] = await withAnother(fixture, (other) =>
      Promise.all([
        gather(store, after, streams, written.length),
        gather(other, after, streams, written.length, 7),
        done,
      ]),
    );
    expectWhole(seen, written);
    expect(seenElsewhere).to.deep.equal(seen);
    expect(await gather(store, after, streams, written.length, 3), 'again, as history').to.deep.equal(seen);
  });

  it('resumes where it was when the connection is cut', async function () {
    const { store, cut } = fixture();
    if (!cut) this.skip();
    const after = await store.lastPosition();
    const { streams, written, done } = writers(store, 4, 20);
    const cuts = async () => {
      for (let n = 1; n <= 3; n++) {
        await gather(store, after, streams, n * 20);
        await cut();
      }
    };
    const [seen] = await Promise.all([gather(store, after, streams, written.length), done, cuts()]);
    expectWhole(seen, written);
  });

  it('gives a slow reader batches of the asked size, and all of them', async () => {
    const { store } = fixture();
    const stream = newStream();
    const after = await store.lastPosition();
    for (let n = 0; n < 4; n++) await appendAtTail(store, stream, samples(300));
    const leaving = new AbortController();
    const sizes: number[] = [];
    let seen = 0;
    for await (const { events } of store.subscribe(after, { signal: leaving.signal, maxBatch: 50 })) {
      sizes.push(events.length);
      seen += events.length;
      await answers(store); // slower than the log can deliver
      if (seen >= 1200) leaving.abort();
    }
    expect(seen).to.equal(1200);
    expect(Math.max(...sizes)).to.be.at.most(50);
  });

  it('delivers one append of 500 events to a live reader', async () => {
    const { store } = fixture();
    const stream = newStream();
    const after = await store.lastPosition();
    const live = gather(store, after, new Set([stream]), 501);
    await store.append(stream, 'noStream', [sample()]);
    await store.append(stream, 0, samples(500));
    expect((await live).map(({ revision }) => revision)).to.deep.equal(
      Array.from({ length: 501 }, (_, n) => n),
    );
  });

  it('ends at once when aborted before, while it waits, and between batches', async () => {
    const { store } = fixture();
    expect(await batchesUntilEnd(store, AbortSignal.abort())).to.equal(0);
    const idle = new AbortController();
    const waiting = batchesUntilEnd(store, idle.signal, (batch) => {
      if (batch.caughtUp) setImmediate(() => idle.abort());
    });
    expect(await waiting).to.be.at.least(1);
    const busy = new AbortController();
    await store.append(newStream(), 'noStream', samples(3));
    const counted = await batchesUntilEnd(store, busy.signal, () => busy.abort());
    expect(counted).to.equal(1);
  });

  it('ends when its store is closed', async function () {
    const other = await fixture().another();
    if (other === fixture().store) this.skip();
    const ended = batchesUntilEnd(other, new AbortController().signal, (batch) => {
      if (batch.caughtUp) void other.close();
    });
    expect(await ended).to.be.at.least(1);
  });
}

async function batchesUntilEnd(
  store: EventStore,
  signal: AbortSignal,
  on?: (batch: Batch) => void,
): Promise<number> {
  let batches = 0;
  for await (const batch of store.subscribe(START, { signal })) {
    batches++;
    on?.(batch);
  }
  return batches;
}

/** Writers that each append to a stream of their own and to one that all of them race for. */
function writers(store: EventStore, count: number, rounds: number) {
  const shared = newStream();
  const plans = Array.from({ length: count }, () => ({
    own: newStream(),
    appends: Array.from({ length: rounds }, (_, round) => samples(1 + (round % 3))),
  }));
  const write = async ({ own, appends }: (typeof plans)[number]) => {
    for (const [round, events] of appends.entries()) {
      await appendAtTail(store, round % 5 === 4 ? shared : own, events);
    }
  };
  return {
    streams: new Set([shared, ...plans.map(({ own }) => own)]),
    written: plans.flatMap(({ appends }) => appends.flatMap(idsOf)),
    done: Promise.all(plans.map(write)),
  };
}

function expectWhole(seen: readonly RecordedEvent[], written: readonly string[]): void {
  expect(idsOf(seen).toSorted()).to.deep.equal(written.toSorted());
  const tails = new Map<string, number>();
  let last = START;
  for (const { stream, revision, position } of seen) {
    expect(position > last, `${position} after ${last}`).to.equal(true);
    expect(revision).to.equal((tails.get(stream) ?? -1) + 1);
    tails.set(stream, revision);
    last = position;
  }
}
