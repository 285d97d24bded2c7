import { expect } from 'chai';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import type { Message } from '../../src/domain/decider.js';
import { START, type RecordedEvent } from '../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { upcasters } from '../../src/event-log/earlier-shapes.js';
import { EventCodec } from '../../src/event-log/event-codec.js';
import { eventId } from '../../src/event-log/event-id.js';
import { EventLog, type LogSubscribeOptions } from '../../src/event-log/event-log.js';
import { categories, eventTypes } from '../../src/event-log/event-types.js';
import { personalFields } from '../../src/event-log/personal-fields.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

const metadata = { $correlationId: 'request 1', at: '2026-01-01T00:00:00Z' };
const alice = {
  accountId: 1,
  name: 'Alice',
  email: 'alice@example.org',
  fullName: 'Alice Liddell',
  loginName: '',
};
const aliceCreated: Message = { type: 'AccountCreated', data: { ...alice, kind: 'user' } };
const added: Message = {
  type: 'AddedToQuotaGroup',
  data: { groupId: 7, groupName: 'staff', addedAt: 'now' },
};

describe('EventLog', () => {
  let store: MemoryEventStore;
  let people: TestPeople;
  let log: EventLog;

  beforeEach(() => {
    store = new MemoryEventStore();
    people = new TestPeople();
    log = new EventLog({ store, people });
  });

  async function everything(
    after = START,
    options: Partial<LogSubscribeOptions> = {},
  ): Promise<DomainEvent[]> {
    const ending = new AbortController();
    const events: DomainEvent[] = [];
    for await (const batch of log.subscribe(after, { ...options, signal: ending.signal })) {
      events.push(...batch.events);
      if (batch.caughtUp) break;
    }
    ending.abort();
    return events;
  }
  const stored = async (stream: string): Promise<RecordedEvent> => {
    const [event] = await store.readStream(stream);
    if (!event) throw new Error(`${stream} is empty`);
    return event;
  };

  it('gives back what was appended, with its place and where it came from', async () => {
    const actor = { id: 2, name: 'root' };
    const place = await log.append(
      'quotaMembership-1',
      'noStream',
      [added],
      { ...metadata, actor, requestId: 'r' },
      'command 1',
    );
    const [event] = await log.readStream('quotaMembership-1');
    expect(event).to.deep.include({
      ...added,
      ...place,
      id: eventId('command 1', 'quotaMembership-1', 0),
      stream: 'quotaMembership-1',
      streamId: '1',
      metadata: { ...metadata, actor, requestId: 'r', $causationId: 'command 1', schemaVersion: 1 },
    });
    expect(await everything()).to.deep.equal([event]);
  });

  it('appends the same command once', async () => {
    const append = () => log.append('quotaMembership-1', 'noStream', [added, added], metadata, 'command 1');
    expect(await append()).to.deep.equal(await append());
    expect(await log.readStream('quotaMembership-1')).to.have.length(2);
  });

  it('takes the id of a stream after the first dash', async () => {
    await log.append('status-5-abc', 'noStream', [added], metadata, 'command 1');
    expect((await log.readStream('status-5-abc'))[0]?.streamId).to.equal('5-abc');
  });

  it('refuses a type of event that is not registered', async () => {
    const append = log.append('thing-1', 'noStream', [{ type: 'Unheard', data: {} }], metadata, 'command 1');
    await append.then(
      () => expect.fail('it was appended'),
      (error: unknown) => expect(error).to.be.instanceOf(TypeError),
    );
  });

  describe('personal fields', () => {
    const actor = { id: 1, name: 'Alice' };
    beforeEach(async () => {
      await log.append('account-1', 'noStream', [aliceCreated], { ...metadata, actor }, 'command 1');
    });

    it('are not stored as they are', async () => {
      const text = JSON.stringify(await stored('account-1'), (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      for (const secret of ['Alice', 'alice', 'Liddell']) expect(text).not.to.include(secret);
    });
    it('are readable with the person’s key', async () => {
      const [event] = await log.readStream('account-1');
      expect(event?.data).to.deep.equal(aliceCreated.data);
      expect(event?.metadata.actor).to.deep.equal(actor);
    });
    it('read as null once the key is gone, and everything else stays', async () => {
      await log.readStream('account-1'); // what was remembered must not answer either
      people.shred(1);
      const [event] = await everything();
      expect(event?.data).to.deep.equal({
        accountId: 1,
        kind: 'user',
        name: null,
        email: null,
        fullName: null,
        loginName: null,
        // Whether these were given is as unreadable as what they were.
        website: null,
        location: null,
        description: null,
      });
      expect(event?.metadata.actor).to.deep.equal({ id: 1, name: null });
    });
    it('are not written any more for an erased person', async () => {
      people.shred(1);
      await log.append('quotaMembership-1', 'noStream', [added], { ...metadata, actor }, 'command 2');
      expect((await stored('quotaMembership-1')).metadata.actor).to.deep.equal({ id: 1, name: null });
      await log.append('account-9', 'noStream', [aliceCreated], metadata, 'command 3');
      expect((await log.readStream('account-9'))[0]?.data.name).to.equal(null);
    });
    it('of one person cannot be moved to another', async () => {
      const event = await stored('account-1');
      await people.ensure(2);
      const data = { ...event.data, accountId: 2 };
      await store.append('account-2', 'noStream', [
        { ...event, id: eventId('forged', 'account-2', 0), data },
      ]);
      await log.readStream('account-2').then(
        () => expect.fail('it was read'),
        (error: unknown) => expect(error).to.be.instanceOf(Error),
      );
    });
    it('of a batch cost the vault one question', async () => {
      for (let id = 2; id <= 20; id++) {
        const data = { ...aliceCreated.data, accountId: id };
        await log.append(`account-${id}`, 'noStream', [{ ...aliceCreated, data }], metadata, `command ${id}`);
      }
      people.questions = 0;
      expect(await everything()).to.have.length(20);
      expect(people.questions).to.equal(1);
    });
  });

  describe('an event that cannot be read', () => {
    const put = (stream: string, event: Partial<RecordedEvent>) =>
      store.append(stream, 'noStream', [
        {
          id: eventId('damage', stream, 0),
          type: added.type,
          data: {},
          metadata: { ...metadata, schemaVersion: 1 },
          ...event,
        },
      ]);
    const marked = () => everything(START, { markUnreadable: true });

    const damages: Readonly<Record<string, () => unknown>> = {
      'of an unknown type': () => put('quotaMembership-2', { type: 'Unheard' }),
      'of a later version': () => put('quotaMembership-2', { metadata: { ...metadata, schemaVersion: 2 } }),
      'without metadata': () => put('quotaMembership-2', { metadata: {} }),
      'of nobody': () => put('account-2', { type: 'AccountCreated', data: { kind: 'user' } }),
      'sealed for somebody else': async () => {
        await log.append('account-2', 'noStream', [aliceCreated], metadata, 'command 2');
        const { data } = await stored('account-2');
        await people.ensure(3);
        await put('account-3', { type: 'AccountCreated', data: { ...data, accountId: 3 } });
      },
      'of somebody whose key is damaged': async () => {
        const data = { ...aliceCreated.data, accountId: 2 };
        await log.append('account-2', 'noStream', [{ ...aliceCreated, data }], metadata, 'command 2');
        people.damage(2);
      },
    };
    for (const [title, damage] of Object.entries(damages)) {
      it(`${title} is marked where that is asked for, and fails readers elsewhere`, async () => {
        const actor = { id: 1, name: 'Alice' };
        await log.append('account-1', 'noStream', [aliceCreated], { ...metadata, actor }, 'command 1');
        await damage();
        await log.append('quotaMembership-1', 'noStream', [added], metadata, 'command 3');
        const events = await marked();
        const [bad, ...others] = events.filter(({ unreadable }) => unreadable);
        expect(others).to.deep.equal([]);
        expect(bad).to.include({ revision: 0 }).and.deep.include({ data: {} });
        expect(bad?.unreadable).to.be.instanceOf(Error);
        expect(events[0]?.data).to.deep.equal(aliceCreated.data);
        expect(events.at(-1)?.data).to.deep.equal(added.data);
        await rejection(everything());
        await rejection(log.readStream(bad?.stream ?? ''));
      });
    }

    it('may hold what is not JSON, as drivers give it', async () => {
      await log.append('quotaMembership-1', 'noStream', [added], metadata, 'command 1');
      const event = await stored('quotaMembership-1');
      const codec = new EventCodec({ people, types: eventTypes, personal: personalFields, upcasters });
      const foreign = ['not JSON', Buffer.from('{}'), null, []] as unknown as RecordedEvent['data'][];
      const records = foreign.flatMap((part) => [
        { ...event, data: part },
        { ...event, metadata: part },
      ]);
      const decoded = await codec.decodeEach([...records, event]);
      expect(decoded.map(({ unreadable }) => unreadable?.name)).to.deep.equal([
        ...records.map(() => 'DamagedEvent'),
        undefined,
      ]);
    });

    it('may name a person of an id that no vault has', async () => {
      await log.append('account-1', 'noStream', [aliceCreated], metadata, 'command 1');
      const event = await stored('account-1');
      const codec = new EventCodec({ people, types: eventTypes, personal: personalFields, upcasters });
      const asked: number[] = [];
      people.keysFor = (ids) => {
        asked.push(...ids);
        return Promise.resolve(new Map());
      };
      const decoded = await codec.decodeEach([
        { ...event, data: { ...event.data, accountId: 1e300 } },
        { ...event, metadata: { ...event.metadata, actor: { id: 1e300, name: 'Alice' } } },
        event,
      ]);
      expect(decoded.map(({ unreadable }) => unreadable?.name)).to.deep.equal([
        'DamagedEvent',
        'DamagedEvent',
        undefined,
      ]);
      expect(new Set(asked)).to.deep.equal(new Set([1]));
    });

    it('has the type that its old name stands for', async () => {
      await put('quotaMembership-1', { type: 'JoinedGroup', metadata: { ...metadata, schemaVersion: 1 } });
      const lift = () => {
        throw new Error('damaged');
      };
      const from = { type: 'JoinedGroup', version: 1 };
      const to = { type: added.type, version: 1 };
      log = new EventLog({ store, people, upcasters: [...upcasters, { from, to, lift }] });
      expect((await marked()).map(({ type, unreadable }) => [type, unreadable?.message])).to.deep.equal([
        [added.type, 'damaged'],
      ]);
    });

    it('is none where the vault cannot be asked: the reader is to come again', async () => {
      await log.append('account-1', 'noStream', [aliceCreated], metadata, 'command 1');
      people.keysFor = () => Promise.reject(new Error('away'));
      expect((await rejection(marked())).message).to.equal('away');
    });
  });

  it('lifts events of an old shape, which then say their current version', async () => {
    await log.append('quotaMembership-1', 'noStream', [added], metadata, 'command 1');
    const later = new EventLog({
      store,
      people,
      types: { ...eventTypes, AddedToQuotaGroup: { categories: ['quotaMembership'], version: 2 } },
      upcasters: [
        ...upcasters,
        {
          from: { type: 'AddedToQuotaGroup', version: 1 },
          to: { type: 'AddedToQuotaGroup', version: 2 },
          lift: (data) => ({ ...data, lifted: true }),
        },
      ],
    });
    const [event] = await later.readStream('quotaMembership-1');
    expect(event?.data).to.deep.equal({ ...added.data, lifted: true });
    expect(event?.metadata.schemaVersion).to.equal(2);
  });

  it('never lets a subscription’s clock go back', async () => {
    const times = [5_000, 3_000, 6_000];
    store = new MemoryEventStore({ clock: () => new Date(times.shift() ?? 0) });
    log = new EventLog({ store, people });
    for (const id of [1, 2, 3]) {
      await log.append(`quotaMembership-${id}`, 'noStream', [added], metadata, `command ${id}`);
    }
    const clock = (await everything()).map((event) => event.recordedAt.getTime());
    expect(clock).to.deep.equal([5_000, 5_000, 6_000]);
  });

  it('resumes after a position', async () => {
    await log.append('quotaMembership-1', 'noStream', [added], metadata, 'command 1');
    const { position } = await log.append('quotaMembership-1', 0, [added], metadata, 'command 2');
    await log.append('quotaMembership-1', 1, [added], metadata, 'command 3');
    expect((await everything(position)).map((event) => event.revision)).to.deep.equal([2]);
    expect((await log.lastPosition()) > position).to.equal(true);
  });

  it('reads once what its store gives to several subscriptions', async () => {
    await log.append('account-1', 'noStream', [aliceCreated], metadata, 'command 1');
    const given = { events: await store.readStream('account-1'), caughtUp: true };
    store.subscribe = async function* () {
      yield await Promise.resolve(given);
    };
    const asked = people.questions;
    const taken = await Promise.all([1, 2, 3].map(() => everything(START, { markUnreadable: true })));
    for (const events of taken) expect(events).to.deep.equal(await log.readStream('account-1'));
    expect(people.questions - asked).to.equal(1 + taken.length);
  });
});

describe('the registry of event types', () => {
  it('knows the categories of all streams', () => {
    expect(categories).to.include.members(['account', 'accountName', 'email', 'ids', 'quotaCatalogue']);
    expect(new Set(categories).size).to.equal(categories.length);
  });
  it('knows every type that has personal fields', () => {
    for (const type of Object.keys(personalFields)) expect(eventTypes).to.have.property(type);
  });
});
