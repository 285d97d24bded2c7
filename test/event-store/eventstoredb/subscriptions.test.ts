import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import {
  EventStoreUnavailable,
  PositionNotInLog,
  START,
  type EventData,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../src/event-store/event-store.js';
import { StubLog, type StubEvent, type StubRecord } from '../../support/eventstoredb-stub/log.js';
import { startEventStoreDbStub, type EventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import { callError } from '../../support/eventstoredb-stub/protocol.js';
import {
  answers,
  gather,
  idsOf,
  newStream,
  rejection,
  sample,
  sampleOf,
  samples,
} from '../contract/samples.js';
import { broken, eventually, impatient, open, withCertificate } from './broken-server.js';

/** Reads until `stop`; `live` resolves when it has caught up for the first time. */
function follow(store: EventStore, after: Position = START) {
  const leaving = new AbortController();
  const seen: RecordedEvent[] = [];
  let batches = 0;
  let live = false;
  const done = (async () => {
    for await (const batch of store.subscribe(after, { signal: leaving.signal })) {
      batches += 1;
      seen.push(...batch.events);
      live ||= batch.caughtUp;
    }
  })();
  done.catch(() => undefined); // thrown where it is awaited
  return {
    seen,
    done,
    batches: () => batches,
    live: () => eventually(() => live),
    gathered: (count: number) => eventually(() => seen.length >= count),
    stop: () => {
      leaving.abort();
      return done;
    },
  };
}

/** An event as somebody else writes it. */
const written = ({ id, type, data }: EventData): StubEvent => ({
  ...{ id, type, contentType: 'application/json' },
  ...{ data: Buffer.from(JSON.stringify(data)), metadata: new Uint8Array() },
});

/** Resolves once the server sends nothing while it answers ten pings. */
async function nothingMoreSent(stub: EventStoreDbStub, store: EventStore): Promise<void> {
  for (let before = -1; before !== stub.traffic.delivered;) {
    before = stub.traffic.delivered;
    for (let n = 0; n < 10; n++) await answers(store);
  }
}

describe('EventStoreDbEventStore subscriptions', () => {
  for (const [what, urlOf] of [
    ['the server was killed', ({ url }: EventStoreDbStub) => url],
    [
      'a whole cluster was away',
      ({ clusterUrl }: EventStoreDbStub) => `${clusterUrl}&maxDiscoverAttempts=2&discoveryInterval=10`,
    ],
  ] as const)
    it(
      `go on after ${what} and came back`,
      broken(async ({ stub }) => {
        const errors: unknown[] = [];
        const store = open(urlOf(stub), { onError: (error) => errors.push(error) });
        const events = samples(4);
        await store.append(newStream(), 'noStream', events.slice(0, 2));
        const reader = follow(store);
        await reader.live();
        await reader.gathered(2);
        await stub.kill();
        await eventually(() => errors.length >= 3);
        await stub.restart();
        await eventually(() => stub.subscriptions.size === 1);
        await answers(store);
        await store.append(newStream(), 'noStream', events.slice(2));
        await reader.gathered(4);
        await reader.stop();
        await store.close();
        expect(idsOf(reader.seen)).to.deep.equal(idsOf(events));
      }),
    );

  it(
    'go on after the server ended them, with an error or without',
    broken(async ({ stub, store, errors }) => {
      const stream = newStream();
      const reader = follow(store);
      await reader.live();
      const ends = [
        undefined,
        callError(status.UNKNOWN, 'a bug'),
        callError(status.UNAVAILABLE, 'shutting down'),
      ];
      for (const [index, end] of ends.entries()) {
        const { subscribe } = stub.traffic.calls;
        stub.dropSubscriptions(end);
        await eventually(() => stub.traffic.calls.subscribe > subscribe);
        await store.append(stream, index === 0 ? 'noStream' : index - 1, [sample()]);
        await reader.gathered(index + 1);
      }
      await reader.stop();
      expect(reader.seen.map(({ revision }) => revision)).to.deep.equal([0, 1, 2]);
      expect(errors).to.have.length(3);
    }),
  );

  it(
    'go on after no other client could be made for them, because a certificate was away for a moment',
    broken(async ({ stub }) => {
      await withCertificate(stub.url, async ({ url, remove, putBack }) => {
        const errors: unknown[] = [];
        const store = open(url, { onError: (error) => errors.push(error) });
        const reader = follow(store);
        await reader.live();
        remove();
        stub.dropSubscriptions(callError(status.UNAVAILABLE, 'shutting down'));
        await eventually(() => errors.some((error) => error instanceof EventStoreUnavailable));
        putBack();
        await eventually(() => stub.subscriptions.size === 1);
        await store.append(newStream(), 'noStream', [sample()]);
        await reader.gathered(1);
        await reader.stop();
        await store.close();
      });
    }),
  );

  it(
    'stay where nothing happens for longer than the server may take to confirm them',
    broken(
      async ({ stub, store, errors }) => {
        const reader = follow(store);
        await reader.live();
        const { subscribe } = stub.traffic.calls;
        errors.splice(0);
        await sleep(500);
        await reader.stop();
        expect(stub.traffic.calls.subscribe).to.equal(subscribe);
        expect(errors).to.deep.equal([]);
      },
      { timeLimit: 300 },
    ),
  );

  it(
    'hide that the server dropped a live reader for whom more than 64 events waited',
    broken(async ({ stub, store, errors }) => {
      const reader = follow(store);
      await reader.live();
      const events = samples(500);
      await store.append(newStream(), 'noStream', events);
      await reader.gathered(500);
      await reader.stop();
      expect(idsOf(reader.seen)).to.deep.equal(idsOf(events));
      expect(stub.traffic.calls.subscribe).to.equal(2);
      expect(errors).to.deep.equal([]);
    }),
  );

  it(
    'catch up again where the server lets a live reader fall behind',
    broken(
      async ({ stub, store, errors }) => {
        const leaving = new AbortController();
        const live: boolean[] = [];
        const seen: RecordedEvent[] = [];
        const events = samples(500);
        for await (const batch of store.subscribe(START, { signal: leaving.signal, maxBatch: 50 })) {
          live.push(batch.caughtUp);
          seen.push(...batch.events);
          if (live.length === 1) await store.append(newStream(), 'noStream', events);
          if (seen.length === 500 && batch.caughtUp) leaving.abort();
        }
        expect(idsOf(seen)).to.deep.equal(idsOf(events));
        expect(live).to.include(false);
        expect([live[0], live.at(-1)]).to.deep.equal([true, true]);
        expect(stub.traffic.calls.subscribe).to.equal(1);
        expect(errors).to.deep.equal([]);
      },
      { catchesUpAgain: true },
    ),
  );

  it(
    'give what is written first where they found nothing of ours',
    broken(
      async ({ store }) => {
        const reader = follow(store);
        await reader.live();
        const events = samples(2);
        await store.append(newStream(), 'noStream', events);
        await reader.gathered(2);
        await reader.stop();
        expect(idsOf(reader.seen)).to.deep.equal(idsOf(events));
      },
      { catchesUpAgain: true },
    ),
  );

  it(
    'do not tell again that there is nothing to catch up with after an interruption without events',
    broken(async ({ stub, store }) => {
      const reader = follow(store);
      await reader.live();
      for (const calls of [2, 3]) {
        stub.dropSubscriptions(callError(status.ABORTED, 'Operation timed out'));
        await eventually(() => stub.traffic.calls.subscribe === calls && stub.subscriptions.size === 1);
      }
      await store.append(newStream(), 'noStream', [sample()]);
      await reader.gathered(1);
      await reader.stop();
      expect(reader.batches()).to.equal(2);
    }),
  );

  it(
    'are opened anew when the server does not confirm them',
    broken(async ({ stub, store, errors }) => {
      await store.append(newStream(), 'noStream', [sample()]);
      stub.network.freeze();
      const reader = follow(store);
      await eventually(() => errors.length > 0);
      stub.network.thaw();
      await reader.gathered(1);
      await reader.stop();
    }, impatient),
  );

  it(
    "get our categories only, and resume beyond others' events",
    broken(async ({ stub, store }) => {
      const { position } = await store.append(newStream(), 'noStream', [sample()]);
      stub.log.append('other-1', 'noStream', samples(4_000).map(written));
      const reader = follow(store);
      await reader.live();
      stub.dropSubscriptions();
      await eventually(() => stub.traffic.calls.subscribe === 2);
      await reader.stop();
      expect(stub.traffic.delivered).to.equal(1);
      expect((stub.traffic.subscribedAfter ?? START) > position).to.equal(true);
    }),
  );

  it(
    'pass over what is not JSON of others, and give that of our categories as it is',
    broken(async ({ stub, store }) => {
      const { position } = await store.append(newStream(), 'noStream', [sample()]);
      const data = Uint8Array.of(0, 255, 128);
      const binary = () => ({
        ...written(sample()),
        ...{ contentType: 'application/octet-stream', data, metadata: data },
      });
      stub.log.append('other-1', 'noStream', [binary()]);
      expect(await store.lastPosition()).to.equal(position);
      const stream = newStream();
      stub.log.append(stream, 'noStream', [binary()]);
      const reader = follow(store);
      await reader.gathered(2);
      await reader.stop();
      const given = reader.seen[1];
      expect(given).to.include({ stream, revision: 0, position: await store.lastPosition() });
      expect(given?.data).to.be.instanceOf(Uint8Array);
      expect(given?.metadata).to.be.instanceOf(Uint8Array);
      expect(await store.readStream(stream)).to.deep.equal([given]);
    }),
  );

  it(
    'refuse a position that is not one of a record',
    broken(async ({ store }) => {
      await store.append(newStream(), 'noStream', [sample()]);
      await rejection(gather(store, 1n, new Set(), 1), PositionNotInLog);
    }),
  );

  it(
    'end where the server came back with an older back-up, however much was appended since',
    broken(async ({ stub, store }) => {
      for (const since of [0, 1, 20]) {
        const length = stub.log.records.length;
        const { position } = await store.append(newStream(), 'noStream', samples(3));
        const reader = follow(store);
        await reader.live();
        await stub.kill();
        stub.log.restore(length);
        const other = samples(since).map((event) => ({ ...event, data: { other: 'than before' } }));
        stub.log.append(newStream(), 'noStream', other.map(written));
        await stub.restart();
        const refusal = await rejection(reader.done, PositionNotInLog);
        expect(refusal.position).to.equal(position);
      }
    }),
  );

  it(
    'give nothing twice that a follower gets late',
    broken(async ({ stub: leader, store: writer }) => {
      const follower = await startEventStoreDbStub({ log: new StubLog(() => new Date()) });
      const copy = (records: readonly StubRecord[]) => {
        for (const record of records) follower.log.append(record.stream, 'any', [record]);
      };
      copy(leader.log.records);
      follower.faults.leader = { host: '127.0.0.1', port: leader.port };
      const held = leader.log.records.length;
      const stream = newStream();
      const { position } = await writer.append(stream, 'noStream', samples(2));
      const store = open(follower.url, { attempts: 5 });
      const reader = follow(store, position);
      await reader.live();
      await writer.append(stream, 1, samples(2));
      copy(leader.log.records.slice(held));
      await reader.gathered(2);
      await reader.stop();
      expect(reader.seen.map(({ revision }) => revision)).to.deep.equal([2, 3]);
      await store.close();
      await follower.stop();
    }),
  );

  it(
    'leave a node that no longer hears of the others for the leader',
    broken(async ({ stub: leader, store: writer }) => {
      const cutOff = await startEventStoreDbStub();
      cutOff.faults.leader = { host: '127.0.0.1', port: leader.port };
      const store = open(cutOff.url, { timeLimit: 300, attempts: 100 });
      const reader = follow(store);
      await reader.live();
      const events = samples(3);
      await writer.append(newStream(), 'noStream', events);
      await reader.gathered(3);
      await reader.stop();
      expect(idsOf(reader.seen)).to.deep.equal(idsOf(events));
      await store.close();
      await cutOff.stop();
    }),
  );

  it(
    'hold a slow reader back at the server instead of gathering its backlog here',
    broken(async ({ stub, store }) => {
      const leaving = new AbortController();
      const total = 2_000;
      const text = 'x'.repeat(3_000);
      for (let n = 0; n < 8; n++) {
        await store.append(
          newStream(),
          'noStream',
          samples(total / 8).map((event) => ({ ...event, data: { text } })),
        );
      }
      let seen = 0;
      for await (const { events } of store.subscribe(START, { signal: leaving.signal, maxBatch: 10 })) {
        if (seen === 0) {
          await nothingMoreSent(stub, store);
          expect(stub.traffic.delivered).to.be.below(total / 2);
        }
        seen += events.length;
        if (seen === total) leaving.abort();
      }
      expect(seen).to.equal(total);
    }),
  );

  it(
    'hold a few long events at a time, of however many a batch may be',
    broken(async ({ stub, store }) => {
      const leaving = new AbortController();
      const total = 40;
      for (let n = 0; n < total; n++) await store.append(newStream(), 'noStream', [sampleOf(1_000_000)]);
      const batches: number[] = [];
      let seen = 0;
      for await (const { events } of store.subscribe(START, { signal: leaving.signal })) {
        await nothingMoreSent(stub, store);
        batches.push(events.length);
        seen += events.length;
        if (seen === total) leaving.abort();
      }
      expect(seen).to.equal(total);
      expect(Math.max(...batches)).to.be.below(8);
    }),
  );

  it(
    'end at once when aborted while the server is frozen',
    broken(async ({ stub, store }) => {
      const reader = follow(store);
      await reader.live();
      stub.network.freeze();
      await reader.stop();
      stub.network.thaw();
    }),
  );
});
