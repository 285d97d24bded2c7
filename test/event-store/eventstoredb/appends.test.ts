import { AccessDeniedError } from '@eventstore/db-client';
import { expect } from 'chai';
import {
  EventStoreUnavailable,
  InvalidAppend,
  PositionNotInLog,
  START,
  WrongExpectedVersion,
} from '../../../src/event-store/event-store.js';
import type { EventStoreDbEventStore } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.js';
import { ahead } from '../../support/clock.js';
import { startEventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import { appendSurely, idsOf, newStream, rejection, sample, sampleOf, samples } from '../contract/samples.js';
import { broken, eventually, hopeless, impatient, open, withCertificate } from './broken-server.js';

describe('EventStoreDbEventStore appends', () => {
  it(
    'share one call, with the credentials of the URL',
    broken(async ({ stub }) => {
      const store = open(stub.url.replace('esdb://', 'esdb://admin:changeit@'));
      await Promise.all(samples(40).map((event) => store.append(newStream(), 'noStream', [event])));
      await store.close();
      expect(stub.traffic.calls).to.include({ batchAppend: 1, append: 0 });
    }),
  );

  it(
    'are written once when the answer is lost',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      const events = samples(3);
      stub.faults.nextAppends('lose-answer');
      const { revision, position } = await store.append(stream, 'noStream', events);
      const read = await store.readStream(stream);
      expect(idsOf(read)).to.deep.equal(idsOf(events));
      expect({ revision, position }).to.deep.equal({ revision: 2, position: read[2]?.position });
    }, impatient),
  );

  it(
    'are written once when the answer is lost and another writer came between',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      stub.faults.nextAppends('lose-answer');
      const first = store.append(stream, 'noStream', [sample()]);
      const other = open(stub.url);
      await eventually(() => stub.log.stream(stream) !== undefined);
      await other.append(stream, 0, [sample()]);
      expect((await first).revision).to.equal(0);
      expect(await store.readStream(stream)).to.have.length(2);
      await other.close();
    }, impatient),
  );

  it(
    'are waited for though a ping meanwhile was not',
    broken(
      async ({ stub, store }) => {
        const stream = newStream();
        await store.append(stream, 'noStream', [sample()]);
        stub.network.freeze();
        const append = store.append(stream, 0, [sample()]);
        await rejection(store.ping(), EventStoreUnavailable);
        stub.network.thaw();
        expect((await append).revision).to.equal(1);
      },
      { attempts: 1 },
    ),
  );

  it(
    'are written once when the server says that it took too long, and had written them',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      const events = samples(3);
      stub.faults.nextAppends('late');
      const { revision } = await store.append(stream, 'noStream', events);
      expect(revision).to.equal(2);
      expect(idsOf(await store.readStream(stream))).to.deep.equal(idsOf(events));
    }),
  );

  it(
    'are written once when the server ends the call that they share because of an exception',
    broken(async ({ stub, store }) => {
      await store.append(newStream(), 'noStream', [sample()]);
      stub.faults.nextAppends('lose-answer', 'swallow', 'unknown');
      const appends = samples(4).map(async (event) => {
        const stream = newStream();
        expect((await store.append(stream, 'noStream', [event])).revision).to.equal(0);
        expect(stub.log.stream(stream)).to.have.length(1);
      });
      await Promise.all(appends);
    }),
  );

  it(
    'may have been written where the server knows the caller no more after an attempt without an answer',
    broken(async ({ stub, store }) => {
      stub.faults.nextAppends('unauthenticated');
      await rejection(store.append(newStream(), 'noStream', [sample()]), AccessDeniedError);
      const stream = newStream();
      stub.faults.nextAppends('lose-answer', 'unauthenticated');
      const refusal = await rejection(store.append(stream, 'noStream', [sample()]), EventStoreUnavailable);
      expect(refusal.cause).to.be.instanceOf(AccessDeniedError);
      expect(stub.log.stream(stream)).to.have.length(1);
    }, impatient),
  );

  it(
    'are taken though the clock here is behind that of the server',
    broken(async ({ store }) => {
      await ahead(-60_000, async () => {
        expect((await store.append(newStream(), 'noStream', [sample()])).revision).to.equal(0);
      });
    }),
  );

  it(
    'are tried again when the server fails without a verdict',
    broken(async ({ stub, store }) => {
      stub.faults.nextAppends('swallow', 'unavailable');
      expect((await store.append(newStream(), 'noStream', [sample()])).revision).to.equal(0);
    }, impatient),
  );

  it(
    'are tried again while a leader is elected, and unavailable when that takes too long',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      stub.faults.nextAppends('not-ready', 'not-ready');
      expect((await store.append(stream, 'noStream', [sample()])).revision).to.equal(0);
      stub.faults.nextAppends('not-ready', 'not-ready', 'not-ready');
      await rejection(store.append(stream, 0, [sample()]), EventStoreUnavailable);
      expect((await store.append(stream, 0, [sample()])).revision).to.equal(1);
    }),
  );

  it(
    'give up as unavailable after the last attempt, and the next one succeeds',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      stub.faults.nextAppends('swallow', 'swallow', 'swallow');
      await rejection(store.append(stream, 'noStream', [sample()]), EventStoreUnavailable);
      expect(await store.readStream(stream)).to.deep.equal([]);
      expect((await store.append(stream, 'noStream', [sample()])).revision).to.equal(0);
    }, hopeless),
  );

  it(
    'may have been written where no other client can be made, because a certificate is away for a moment',
    broken(async ({ stub }) => {
      await withCertificate(stub.url, async ({ url, remove, putBack }) => {
        const store = open(url, impatient);
        const stream = newStream();
        const events = samples(2);
        remove();
        stub.faults.nextAppends('lose-answer');
        await rejection(store.append(stream, 'noStream', events), EventStoreUnavailable);
        expect(stub.log.stream(stream)).to.have.length(2);
        putBack();
        expect((await store.append(stream, 'noStream', events)).revision).to.equal(1);
        await store.close();
      });
    }),
  );

  it(
    'are unavailable while the server is down, also before the first answer, and work when it is back',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      const events = samples(2);
      await stub.kill();
      await rejection(store.append(stream, 'noStream', events), EventStoreUnavailable);
      await stub.restart();
      expect((await appendSurely(store, stream, 'noStream', events)).revision).to.equal(1);
      await stub.kill();
      await rejection(store.append(stream, 1, [sample()]), EventStoreUnavailable);
      await stub.restart();
      expect((await appendSurely(store, stream, 1, [sample()])).revision).to.equal(2);
    }),
  );

  for (const [what, options] of [
    ['', ''],
    [', though the URL says how long a connection may be silent', '&keep_alive_timeout=5000'],
  ])
    it(
      `leave a connection that carries nothing for a new one, which is not shared with subscriptions${what}`,
      broken(async ({ stub }) => {
        const store = open(`${stub.url}${options}`, impatient);
        const stream = newStream();
        await store.append(stream, 'noStream', [sample()]);
        const leaving = new AbortController();
        const reader = store.subscribe(START, { signal: leaving.signal })[Symbol.asyncIterator]();
        await reader.next();
        stub.network.wedge();
        expect((await store.append(stream, 0, [sample()])).revision).to.equal(1);
        leaving.abort();
        await store.close();
      }),
    );

  it(
    'fail one by one, not the process, when many large ones meet a frozen server',
    broken(async ({ stub, store }) => {
      await store.append(newStream(), 'noStream', [sample()]);
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', note);
      stub.network.freeze();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 100 }, () => store.append(newStream(), 'noStream', [sampleOf(20_000)])),
      );
      for (const outcome of outcomes) {
        expect(outcome.status === 'rejected' && outcome.reason).to.be.instanceOf(EventStoreUnavailable);
      }
      stub.network.thaw();
      expect((await store.append(newStream(), 'noStream', [sample()])).revision).to.equal(0);
      process.off('unhandledRejection', note);
      expect(unhandled).to.deep.equal([]);
    }, hopeless),
  );

  it(
    'outlive the lost connection of another client in the process',
    broken(async ({ stub, store }) => {
      const elsewhere = await startEventStoreDbStub();
      const other = open(elsewhere.url);
      await Promise.all([store, other].map((each) => each.append(newStream(), 'noStream', [sample()])));
      for (let round = 0; round < 5; round++) {
        const appends = samples(20).map((event) => store.append(newStream(), 'noStream', [event]));
        elsewhere.network.cut();
        await Promise.all(appends);
        await other.append(newStream(), 'noStream', [sample()]);
      }
      await other.close();
      await elsewhere.stop();
      expect(stub.log.records.filter(({ type }) => type === 'Sampled')).to.have.length(101);
    }),
  );

  it(
    'refused by the server name the revision that the stream has, whatever the URL says of refusals',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      stub.faults.nextAppends('conflict');
      const missing = await rejection(store.append(stream, 3, [sample()]), WrongExpectedVersion);
      expect(missing).to.include({ stream, expected: 3, actual: 'noStream' });
      await store.append(stream, 'noStream', samples(2));
      stub.faults.nextAppends('conflict');
      const behind = await rejection(store.append(stream, 0, [sample()]), WrongExpectedVersion);
      expect(behind).to.include({ expected: 0, actual: 1 });
      const quiet = open(`${stub.url}&throwOnAppendFailure=false`);
      expect(await rejection(quiet.append(stream, 0, [sample()]), WrongExpectedVersion)).to.include({
        actual: 1,
      });
      await quiet.close();
    }),
  );

  it(
    "are invalid when over the server's own limit, and the client stays usable",
    broken(
      async ({ store }) => {
        await rejection(store.append(newStream(), 'noStream', [sampleOf(3_000)]), InvalidAppend);
        expect((await store.append(newStream(), 'noStream', [sample()])).revision).to.equal(0);
      },
      { maxAppendSize: 2_000 },
    ),
  );

  it(
    'are invalid when one event is over a limit that the server has for single ones',
    broken(async ({ stub, store }) => {
      stub.faults.nextAppends('event-too-large');
      await rejection(store.append(newStream(), 'noStream', [sample()]), InvalidAppend);
      expect(stub.traffic.calls.batchAppend).to.equal(1);
    }),
  );

  it(
    'go to the leader when the node is not it',
    broken(async ({ stub: leader }) => {
      const follower = await startEventStoreDbStub({ log: leader.log });
      follower.faults.leader = { host: '127.0.0.1', port: leader.port };
      const store = open(follower.url, { attempts: 5 });
      const stream = newStream();
      await store.append(stream, 'noStream', [sample()]);
      expect((await store.append(stream, 0, [sample()])).revision).to.equal(1);
      expect(leader.traffic.calls.batchAppend).to.equal(1);
      await store.close();
      await follower.stop();
    }),
  );

  it(
    'under way are answered before the store closes; later ones are refused',
    broken(async ({ stub }) => {
      const store = open(stub.url);
      const appended = store.append(newStream(), 'noStream', [sample()]);
      await store.close();
      expect((await appended).revision).to.equal(0);
      await rejection(store.append(newStream(), 'noStream', [sample()]), EventStoreUnavailable);
    }),
  );

  for (const [what, learn] of [
    ['appended', (store: EventStoreDbEventStore) => store.append(newStream(), 'noStream', samples(3))],
    ['been told of', (store: EventStoreDbEventStore) => store.lastPosition()],
    ['read', (store: EventStoreDbEventStore, stream: string) => store.readStream(stream)],
  ] as const)
    it(
      `are taken no more from who has ${what} events that the log has lost`,
      broken(async ({ stub, store: other }) => {
        const lost: PositionNotInLog[] = [];
        const store = open(stub.url, { onLogLost: (error) => lost.push(error) });
        await other.append(newStream(), 'noStream', [sample()]);
        const length = stub.log.records.length;
        const stream = newStream();
        await other.append(stream, 'noStream', samples(3));
        await learn(store, stream);
        const shown = await other.lastPosition();
        await stub.kill();
        stub.log.restore(length);
        await stub.restart();

        const append = () =>
          rejection(store.append(newStream(), 'noStream', [sample()]), EventStoreUnavailable);
        expect((await append()).cause).to.be.instanceOf(PositionNotInLog);
        const { length: held } = stub.log.records;
        await append();
        await rejection(store.ping(), EventStoreUnavailable);
        expect(stub.log.records).to.have.lengthOf(held);
        expect(lost.map(({ position }) => position)).to.deep.equal([shown]);
        await store.close();
      }),
    );

  it(
    'may come twice, though others came between',
    broken(async ({ store }) => {
      const [stream, events] = [newStream(), samples(2)];
      const first = await store.append(stream, 'noStream', events);
      await store.append(newStream(), 'noStream', [sample()]);
      expect(await store.append(stream, 'noStream', events)).to.deep.equal(first);
      await store.ping();
    }),
  );
});
