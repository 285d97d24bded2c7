import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { CommandHandler } from '../../../src/commands/handle.js';
import { QuotaMembership } from '../../../src/domain/quota/quota-membership.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import {
  START,
  StreamNotWhole,
  type ReadOptions,
  type RecordedEvent,
} from '../../../src/event-store/event-store.js';
import { StubLog } from '../../support/eventstoredb-stub/log.js';
import { TestPeople } from '../../support/people.js';
import { gather, idsOf, newStream, rejection, sample, samples } from '../contract/samples.js';
import { broken } from './broken-server.js';

const revisionsOf = (events: readonly { readonly revision: number }[]) =>
  events.map(({ revision }) => revision);

/** What somebody does to a stream at the server, past us. */
async function meddle(url: string, work: (client: EventStoreDBClient) => Promise<unknown>): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  await work(client);
  await client.dispose();
}

describe('EventStoreDbEventStore of a stream that was deleted for good', () => {
  it(
    'refuses reads and appends at once, and goes on with the others',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      await store.append(stream, 'noStream', samples(3));
      await meddle(stub.url, (client) => client.tombstoneStream(stream));
      const { read } = stub.traffic.calls;
      for (const options of [{}, { from: 3 }, { direction: 'backwards', max: 1 }] as const) {
        const refusal = await rejection(store.readStream(stream, options), StreamNotWhole);
        expect(refusal.message).to.equal(`stream ${stream} is not whole: it was deleted for good`);
      }
      expect(stub.traffic.calls.read).to.equal(read + 3);
      for (const expected of ['noStream', 2] as const) {
        const refusal = await rejection(store.append(stream, expected, [sample()]), StreamNotWhole);
        expect(refusal.message).to.include(stream);
      }
      expect((await store.append(newStream(), 'noStream', [sample()])).revision).to.equal(0);
      expect(stub.traffic.calls.batchAppend).to.equal(1);
    }),
  );

  it(
    'gives subscribers what it held, and counts no event more',
    broken(async ({ stub, store }) => {
      const [gone, other] = [newStream(), newStream()];
      const events = samples(2);
      const { position } = await store.append(gone, 'noStream', events);
      await meddle(stub.url, (client) => client.tombstoneStream(gone));
      expect(stub.log.records.at(-1)).to.include({ stream: gone, type: '$streamDeleted' });
      expect(await store.lastPosition()).to.equal(position);
      expect(await store.positionAt(new Date('2100-01-01'))).to.equal(position);
      const later = sample();
      await store.append(other, 'noStream', [later]);
      const seen = await gather(store, START, new Set([gone, other]), 3);
      expect(idsOf(seen)).to.deep.equal(idsOf([...events, later]));
    }),
  );

  for (const before of ['other events', 'nothing'])
    it(
      `gives subscribers all that follows where its events were scavenged, with ${before} before them`,
      broken(
        async ({ stub, store }) => {
          const [first, gone, other] = [newStream(), newStream(), newStream()];
          if (before !== 'nothing') await store.append(first, 'noStream', samples(2));
          const { position } = await store.append(gone, 'noStream', samples(2));
          const following = samples(2);
          await store.append(other, 'noStream', following);
          await meddle(stub.url, (client) => client.tombstoneStream(gone));
          stub.log.scavenge(gone);
          const last = sample();
          await store.append(other, 1, [last]);
          const seen: RecordedEvent[] = [];
          for await (const { events } of store.subscribe(position, {
            signal: new AbortController().signal,
          })) {
            seen.push(...events);
            if (seen.at(-1)?.id === last.id) break;
          }
          expect(idsOf(seen)).to.deep.equal(idsOf([...following, last]));
        },
        before === 'nothing' ? { log: new StubLog(() => new Date()) } : {},
      ),
    );
});

describe('EventStoreDbEventStore of a truncated stream', () => {
  const cases: readonly (readonly [before: number, ReadOptions, number[] | 'refused'])[] = [
    [3, {}, 'refused'],
    [3, { max: 1 }, 'refused'],
    [3, { from: 2 }, 'refused'],
    [3, { from: 3 }, [3, 4]],
    [3, { from: 5 }, []],
    [3, { direction: 'backwards' }, 'refused'],
    [3, { direction: 'backwards', max: 2 }, [4, 3]],
    [3, { direction: 'backwards', max: 3 }, 'refused'],
    [3, { direction: 'backwards', from: 2, max: 1 }, 'refused'],
    [5, {}, 'refused'],
    [5, { from: 5 }, []],
    [5, { direction: 'backwards', max: 1 }, 'refused'],
  ];
  for (const [truncateBefore, options, expected] of cases) {
    const what = `${JSON.stringify(options)} of 5 events without the first ${truncateBefore}`;
    it(
      `reads ${what} as ${JSON.stringify(expected)}`,
      broken(async ({ stub, store }) => {
        const stream = newStream();
        await store.append(stream, 'noStream', samples(5));
        await meddle(stub.url, (client) => client.setStreamMetadata(stream, { truncateBefore }));
        const reading = store.readStream(stream, options);
        if (expected !== 'refused') expect(revisionsOf(await reading)).to.deep.equal(expected);
        else expect((await rejection(reading, StreamNotWhole)).message).to.include('truncated');
      }),
    );
  }

  it(
    'gives subscribers all of it',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      await store.append(stream, 'noStream', samples(5));
      await meddle(stub.url, (client) => client.setStreamMetadata(stream, { maxCount: 1 }));
      await rejection(store.readStream(stream), StreamNotWhole);
      const seen = await gather(store, START, new Set([stream]), 5);
      expect(revisionsOf(seen)).to.deep.equal([0, 1, 2, 3, 4]);
    }),
  );
});

describe('EventStoreDbEventStore of a stream that was deleted and may be appended to again', () => {
  it(
    'refuses reads, for it is no stream without events',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      await store.append(stream, 'noStream', samples(3));
      await meddle(stub.url, (client) => client.deleteStream(stream));
      for (const options of [{}, { from: 3 }, { direction: 'backwards', max: 1 }] as const) {
        const refusal = await rejection(store.readStream(stream, options), StreamNotWhole);
        expect(refusal.message).to.equal(`stream ${stream} is not whole: it was deleted`);
      }
    }),
  );

  for (const expected of ['noStream', 2] as const) {
    it(
      `answers an append at ${expected} with the revision that the server goes on with`,
      broken(async ({ stub, store }) => {
        const stream = newStream();
        await store.append(stream, 'noStream', samples(3));
        await meddle(stub.url, (client) => client.deleteStream(stream));
        const { revision, position } = await store.append(stream, expected, samples(2));
        expect(revision).to.equal(4);
        expect((await store.append(stream, 4, [sample()])).revision).to.equal(5);
        const left = await store.readStream(stream, { from: 3 });
        expect(revisionsOf(left)).to.deep.equal([3, 4, 5]);
        expect(left[1]?.position).to.equal(position);
        await rejection(store.readStream(stream), StreamNotWhole);
        const seen = await gather(store, START, new Set([stream]), 6);
        expect(revisionsOf(seen)).to.deep.equal([0, 1, 2, 3, 4, 5]);
      }),
    );
  }

  it(
    'takes a stream that has nothing but metadata for one without events',
    broken(async ({ stub, store }) => {
      const stream = newStream();
      await meddle(stub.url, (client) => client.setStreamMetadata(stream, { acl: { readRoles: ['$all'] } }));
      expect(await store.readStream(stream)).to.deep.equal([]);
      expect((await store.append(stream, 'noStream', [sample()])).revision).to.equal(0);
    }),
  );
});

describe('A command on a stream that is not whole', () => {
  const at = '2026-01-01T00:00:00Z';
  const stream = 'quotaMembership-1';
  const add = (id: number) =>
    ({ type: 'AddToQuotaGroup', data: { group: { id, name: `group ${id}` }, at } }) as const;
  const ways: Readonly<Record<string, (client: EventStoreDBClient) => Promise<unknown>>> = {
    'was deleted for good': (client) => client.tombstoneStream(stream),
    'was deleted': (client) => client.deleteStream(stream),
    'lost its first event': (client) => client.setStreamMetadata(stream, { truncateBefore: 1 }),
    'lost all its events': (client) => client.setStreamMetadata(stream, { truncateBefore: 2 }),
  };
  for (const [what, way] of Object.entries(ways)) {
    it(
      `fails without deciding anything where it ${what}`,
      broken(
        async ({ stub, store }) => {
          const process = () =>
            new CommandHandler({ log: new EventLog({ store, people: new TestPeople() }) });
          const handle = (id: number) =>
            process().handle(QuotaMembership, 1, add(id), { commandId: `command ${id}`, at });
          await handle(1);
          await handle(2);
          await meddle(stub.url, way);
          const written = stub.log.records.length;
          await rejection(handle(1), StreamNotWhole);
          expect(stub.log.records).to.have.length(written);
        },
        { categories: ['quotaMembership'] },
      ),
    );
  }
});
