import { expect } from 'chai';
import {
  EventStoreUnavailable,
  START,
  WrongExpectedVersion,
  type EventStore,
} from '../../../src/event-store/event-store.js';
import { MarksInMemory } from '../../../src/event-store/eventstoredb/marks.js';
import { answers, newStream, rejection, sample, sampleOf, samples } from '../contract/samples.js';
import { startEventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import { broken, eventually, hopeless, impatient, open } from './broken-server.js';

const foreign = () => ({
  ...{ id: sample().id, type: '$statsCollected', contentType: 'application/json' },
  ...{ data: Buffer.from('{}'), metadata: new Uint8Array() },
});

describe('EventStoreDbEventStore reads', () => {
  it(
    'leave a connection that carries nothing for a new one',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      await store.append(stream, 'noStream', samples(3));
      stub.network.wedge();
      expect(await store.readStream(stream)).to.have.length(3);
    }, impatient),
  );

  it(
    'and pings are unavailable while the server is down or frozen, and work when it is back',
    broken(async ({ stub, store }) => {
      await answers(store);
      await stub.kill();
      await rejection(store.readStream(newStream()), EventStoreUnavailable);
      await rejection(store.lastPosition(), EventStoreUnavailable);
      await rejection(store.ping(), EventStoreUnavailable);
      await stub.restart();
      await store.lastPosition();
      stub.network.freeze();
      await rejection(store.ping(), EventStoreUnavailable);
      stub.network.thaw();
      await store.lastPosition();
      await answers(store);
    }, hopeless),
  );

  it(
    'and appends are unavailable while a whole cluster is away, and work when it is back',
    broken(async ({ stub }) => {
      const store = open(`${stub.clusterUrl}&maxDiscoverAttempts=2&discoveryInterval=10`, { attempts: 2 });
      const stream = newStream();
      await store.append(stream, 'noStream', samples(1));
      await stub.kill();
      for (let again = 0; again < 2; again++) {
        await rejection(store.append(stream, 0, samples(1)), EventStoreUnavailable);
        await rejection(store.readStream(stream), EventStoreUnavailable);
        await rejection(store.ping(), EventStoreUnavailable);
      }
      await stub.restart();
      expect(await store.readStream(stream)).to.have.length(1);
      await store.append(stream, 0, samples(1));
      await store.close();
    }),
  );

  it(
    'that are under way when an append finds the connection broken are made again',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      const { position } = await store.append(stream, 'noStream', samples(3));
      for (const read of [
        async () => expect(await store.readStream(stream)).to.have.length(3),
        async () => expect(await store.lastPosition()).to.equal(position),
        async () => expect(await store.positionAt(new Date())).to.equal(position),
      ]) {
        const { read: before } = stub.traffic.calls;
        stub.faults.unansweredReads = 1;
        const reading = read();
        await eventually(() => stub.traffic.calls.read > before);
        stub.faults.nextAppends('unavailable');
        await rejection(store.append(stream, 0, samples(1)), WrongExpectedVersion);
        await reading;
      }
    }),
  );

  it(
    'ask the leader, for a follower may not hold yet what was answered',
    broken(async ({ stub: leader, store: writer }) => {
      const stream = newStream();
      const { position } = await writer.append(stream, 'noStream', samples(3));
      const follower = await startEventStoreDbStub();
      follower.faults.leader = { host: '127.0.0.1', port: leader.port };
      for (const read of [
        async (store: EventStore) => expect(await store.readStream(stream)).to.have.length(3),
        async (store: EventStore) => expect(await store.lastPosition()).to.equal(position),
        async (store: EventStore) => expect(await store.positionAt(new Date())).to.equal(position),
      ]) {
        const store = open(follower.url, { attempts: 5 });
        await read(store);
        await store.close();
      }
      expect(follower.traffic.calls.read).to.equal(0);
      await follower.stop();
    }),
  );

  it(
    'give a long stream that takes longer than the time limit in all',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      stub.log.append(stream, 'noStream', Array.from({ length: 10_000 }, foreign));
      const began = performance.now();
      await store.readStream(stream);
      const taken = performance.now() - began; // a limit of so many milliseconds would do on no other machine
      const hasty = open(stub.url, { timeLimit: taken / 2, attempts: 50 });
      expect(await hasty.readStream(stream)).to.have.length(10_000);
      await hasty.close();
    }),
  );
});

describe('EventStoreDbEventStore positions', () => {
  it(
    'begin before the first event of ours',
    broken(async ({ store }) => {
      expect(await store.lastPosition()).to.equal(START);
      expect(await store.positionAt(new Date('2100-01-01'))).to.equal(START);
    }),
  );

  it(
    "skip others' events, and read those once",
    broken(async ({ stub, store }) => {
      const { position } = await store.append(newStream(), 'noStream', samples(2));
      stub.log.append('$stats', 'any', Array.from({ length: 6_000 }, foreign));
      expect(await store.lastPosition()).to.equal(position);
      const { read } = stub.traffic.calls;
      expect(await store.lastPosition()).to.equal(position);
      expect(stub.traffic.calls.read).to.equal(read + 1);
      expect(await store.positionAt(new Date('2100-01-01'))).to.equal(position);
    }),
  );

  it(
    "at a time skip others' events, and read those once, before the first event of ours and behind the last",
    broken(async ({ stub, store }) => {
      const write = () => stub.log.append('$stats', 'any', Array.from({ length: 9_000 }, foreign));
      const reads = async (expected: bigint | Date, found: () => Promise<bigint | Date>) => {
        const { read } = stub.traffic.calls;
        expect(await found()).to.deep.equal(expected);
        return stub.traffic.calls.read - read;
      };
      const now = () => store.positionAt(new Date('2100-01-01'));
      const stream = newStream();
      write();
      expect(await reads(START, now)).to.equal(3);
      expect(await reads(START, now)).to.equal(1);
      const { position } = await store.append(stream, 'noStream', samples(2));
      expect(await reads(position, now)).to.equal(1);
      write();
      expect(await reads(position, now)).to.equal(3);
      expect(await reads(position, now)).to.equal(1);
      expect(await reads(START, () => store.positionAt(new Date('0001-01-01')))).to.equal(1);
      const [first] = await store.readStream(stream);
      if (!first) throw new Error('nothing was read');
      expect(await reads(first.recordedAt, () => store.timeAt(position + 1n))).to.equal(1);
    }),
  );

  it('at a time are found a few MiB at a time, and long events are read once', () => {
    const total = 60;
    let now = 0;
    return broken(
      async ({ stub, store }) => {
        const ends: bigint[] = [];
        for (now = 1; now <= total; now++) {
          const { position } = await store.append(newStream(), 'noStream', [sampleOf(1_000_000)]);
          ends.push(position);
        }
        const ask = async (time: number) => {
          const { sent } = stub.traffic;
          expect(await store.positionAt(new Date(time))).to.equal(ends[time - 1]);
          return stub.traffic.sent - sent;
        };
        await ask(total);
        for (const time of [total, 1, total / 2]) expect(await ask(time)).to.be.below(total / 2);
      },
      { clock: () => new Date(now) },
    )();
  });

  it('at a time count an event as recorded no earlier than the one before it', () => {
    const times = [0, 0, 1_000, 3_000, 2_000, 4_000]; // the server's own two events come first
    return broken(
      async ({ store }) => {
        const positions: bigint[] = [];
        for (let n = 0; n < 4; n++) {
          positions.push((await store.append(newStream(), 'noStream', [sample()])).position);
        }
        expect(await store.positionAt(new Date(999))).to.equal(START);
        expect(await store.positionAt(new Date(2_500))).to.equal(positions[0]);
        expect(await store.positionAt(new Date(3_000))).to.equal(positions[2]);
        expect(await store.positionAt(new Date(4_000))).to.equal(positions[3]);
        const times = await Promise.all(positions.map((position) => store.timeAt(position)));
        expect(times.map(Number)).to.deep.equal([1_000, 3_000, 3_000, 4_000]);
      },
      { clock: () => new Date(times.shift() ?? 5_000) },
    )();
  });

  it('at a time do not read the whole log again, nor what another with the same marks has read', () => {
    let now = 0;
    const marks = new MarksInMemory();
    return broken(
      async ({ stub, store }) => {
        const stream = newStream();
        const ends: bigint[] = [];
        for (now = 1; now <= 10; now++) {
          const { position } = await store.append(
            stream,
            now === 1 ? 'noStream' : (now - 1) * 1_000 - 1,
            samples(1_000),
          );
          ends.push(position);
        }
        const ask = async (time: number, asked: EventStore = store) => {
          const { read } = stub.traffic.calls;
          expect(await asked.positionAt(new Date(time))).to.equal(ends[time - 1]);
          return stub.traffic.calls.read - read;
        };
        expect(await ask(9)).to.equal(3);
        expect(await ask(9)).to.equal(1);
        expect(await ask(4)).to.equal(1);
        const another = open(stub.url, { marks });
        expect(await ask(10, another)).to.equal(1);
        expect(await another.timeAt(ends[7] ?? START)).to.deep.equal(new Date(8));
        await another.close();
        const alone = open(stub.url);
        expect(await ask(10, alone)).to.equal(3);
        await alone.close();
      },
      { clock: () => new Date(now), marks },
    )();
  });
});
