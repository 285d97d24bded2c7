import { expect } from 'chai';
import type { CommandContext } from '../../src/commands/context.js';
import { CommandHandler, StreamContended } from '../../src/commands/handle.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { QuotaMembership, type QuotaMembershipCommand } from '../../src/domain/quota/quota-membership.js';
import { EventLog } from '../../src/event-log/event-log.js';
import {
  EventStoreUnavailable,
  START,
  WrongExpectedVersion,
  type EventStore,
} from '../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore, type Interception } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const stream = 'quotaMembership-1';
const group = (id: number) => ({ id, name: `group ${id}` });
const add = (id: number): QuotaMembershipCommand => ({
  type: 'AddToQuotaGroup',
  data: { group: group(id), at },
});
const remove = (id: number): QuotaMembershipCommand => ({
  type: 'RemoveFromQuotaGroup',
  data: { group: group(id), at },
});
const set = (...ids: number[]): QuotaMembershipCommand => ({
  type: 'SetQuotaGroups',
  data: { groups: ids.map(group), at },
});

describe('CommandHandler', () => {
  let clock: Date;
  let store: MemoryEventStore;
  let people: TestPeople;
  let commandsGiven: number;

  beforeEach(() => {
    clock = new Date(at);
    store = new MemoryEventStore({ clock: () => clock });
    people = new TestPeople();
    commandsGiven = 0;
  });

  const process = (on: EventStore = store, options = {}) =>
    new CommandHandler({ log: new EventLog({ store: on, people }), ...options });
  const intercepted = (steps: Interception) => new InterceptedStore(store, steps);
  const context = (commandId = `command ${++commandsGiven}`): CommandContext => ({ commandId, at });
  const groups = async () => [...(await process().load(QuotaMembership, 1)).state.groups.keys()];

  it('appends what was decided and says where', async () => {
    const commands = process();
    const first = await commands.handle(QuotaMembership, 1, add(7), context());
    const second = await commands.handle(QuotaMembership, 1, set(8, 9), context());
    expect(first.events.map((event) => event.type)).to.deep.equal(['AddedToQuotaGroup']);
    expect(first.revision).to.equal(0);
    expect(second.events.map((event) => event.type)).to.deep.equal([
      'AddedToQuotaGroup',
      'AddedToQuotaGroup',
      'RemovedFromQuotaGroup',
    ]);
    expect(second.revision).to.equal(3);
    expect(second.position).to.equal(await store.lastPosition());
    expect(await groups()).to.have.members([8, 9]);
  });

  it('records who did it, what for, and when', async () => {
    const actor = { id: 5, name: 'root' };
    const given = { commandId: 'command 1', at, actor, requestId: 'r', correlationId: 'c' };
    await process().handle(QuotaMembership, 1, add(7), given);
    await process().handle(QuotaMembership, 1, add(8), { commandId: 'command 2', at });
    const [event, byItself] = await new EventLog({ store, people }).readStream(stream);
    expect(event?.metadata).to.deep.equal({
      actor,
      requestId: 'r',
      at,
      $correlationId: 'c',
      $causationId: 'command 1',
      schemaVersion: 1,
    });
    expect(byItself?.metadata).to.deep.equal({
      at,
      $correlationId: 'command 2',
      $causationId: 'command 2',
      schemaVersion: 1,
    });
  });

  it('passes the refusals of rules on', async () => {
    const error = await rejection(process().handle(QuotaMembership, 1, remove(7), context()));
    expect(error).to.have.property('code', 'quota_membership.absent');
    expect(await store.lastPosition()).to.equal(START);
  });

  it('names the last event of the stream when nothing changes', async () => {
    const commands = process();
    expect(await commands.handle(QuotaMembership, 1, set(), context())).to.deep.equal({
      events: [],
      revision: 'noStream',
      position: START,
    });
    const { revision, position } = await commands.handle(QuotaMembership, 1, add(7), context());
    await commands.handle(QuotaMembership, 2, add(7), context());
    expect(await commands.handle(QuotaMembership, 1, set(7), context())).to.deep.equal({
      events: [],
      revision,
      position,
    });
  });

  it('reads nothing for a stream it knows', async () => {
    let reads = 0;
    const commands = process(intercepted({ beforeRead: () => ++reads }));
    await commands.handle(QuotaMembership, 1, add(1), context());
    expect(reads).to.equal(1);
    for (let id = 2; id <= 20; id++) await commands.handle(QuotaMembership, 1, add(id), context());
    expect(reads).to.equal(1);
  });

  it('reads nothing for a stream that it begins', async () => {
    let reads = 0;
    const commands = process(intercepted({ beforeRead: () => ++reads }));
    const { revision } = await commands.begin(QuotaMembership, 1, add(1), context());
    expect(revision).to.equal(0);
    expect(reads).to.equal(0);
  });

  it('decides on what is there where somebody began the stream before', async () => {
    await process().handle(QuotaMembership, 1, add(1), context());
    const commands = process();
    const error = await rejection(commands.begin(QuotaMembership, 1, add(1), context()));
    expect(error).to.have.property('code', 'quota_membership.exists');
    await commands.begin(QuotaMembership, 1, add(2), context());
    await process().begin(QuotaMembership, 1, add(3), context());
    expect(await groups()).to.deep.equal([1, 2, 3]);
  });

  it('knows a bounded number of aggregates, and is right about all of them', async () => {
    const commands = process(store, { aggregates: { max: 1 } });
    for (let id = 1; id <= 5; id++) {
      await commands.handle(QuotaMembership, 1, add(id), context());
      await commands.handle(QuotaMembership, 2, add(id), context());
    }
    const error = await rejection(commands.handle(QuotaMembership, 1, add(5), context()));
    expect(error).to.have.property('code', 'quota_membership.exists');
    expect(await groups()).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('lets the commands of one stream take turns, so that they do not overtake each other', async () => {
    let appends = 0;
    const commands = process(intercepted({ beforeAppend: () => ++appends }));
    const ids = Array.from({ length: 64 }, (_, index) => index + 1);
    await Promise.all(ids.map((id) => commands.handle(QuotaMembership, 1, add(id), context())));
    expect(appends).to.equal(64);
    expect(await groups()).to.have.members(ids);
  });

  describe('against another process', () => {
    it('decides again on what the other wrote', async () => {
      const [here, there] = [process(), process()];
      await here.handle(QuotaMembership, 1, add(1), context());
      await there.handle(QuotaMembership, 1, add(2), context());
      const { events } = await here.handle(QuotaMembership, 1, set(2, 3), context());
      expect(events.map(({ type, data }) => [type, data.groupId])).to.deep.equal([
        ['AddedToQuotaGroup', 3],
        ['RemovedFromQuotaGroup', 1],
      ]);
    });

    it('believes a refusal only after reading what is new', async () => {
      const [here, there] = [process(), process()];
      await here.handle(QuotaMembership, 1, add(1), context());
      await there.handle(QuotaMembership, 1, remove(1), context());
      await here.handle(QuotaMembership, 1, add(1), context());
      expect(await groups()).to.deep.equal([1]);
    });

    it('believes that nothing changes only after reading what is new', async () => {
      const [here, there] = [process(), process()];
      await here.handle(QuotaMembership, 1, set(1), context());
      await there.handle(QuotaMembership, 1, set(2), context());
      await here.handle(QuotaMembership, 1, set(1), context());
      expect(await groups()).to.deep.equal([1]);
    });

    it('gathers facts anew for each attempt, after the revision is fixed', async () => {
      const [here, there] = [process(), process()];
      await here.handle(QuotaMembership, 1, add(1), context());
      let gathered = 0;
      await here.handle(
        QuotaMembership,
        1,
        async () => {
          gathered += 1;
          if (gathered === 1) await there.handle(QuotaMembership, 1, add(2), context());
          return add(10 + gathered);
        },
        context(),
      );
      expect(gathered).to.equal(2);
      expect(await groups()).to.have.members([1, 2, 12]);
    });

    it('gives up after some attempts, having done nothing', async () => {
      let others = 100;
      const there = process();
      const here = process(
        intercepted({
          beforeAppend: () => there.handle(QuotaMembership, 1, add(others++), context()),
        }),
        { minAttempts: 3, patienceMs: 0 },
      );
      const error = await rejection(here.handle(QuotaMembership, 1, add(1), context()));
      expect(error).to.be.instanceOf(StreamContended);
      expect(await groups()).to.have.members([100, 101, 102]);
    });

    it('goes on for as long as it is patient, however often others are first', async () => {
      let others = 100;
      const there = process();
      const here = process(
        intercepted({
          beforeAppend: () =>
            others < 105 ? there.handle(QuotaMembership, 1, add(others++), context()) : undefined,
        }),
        { minAttempts: 1, patienceMs: 60_000 },
      );
      await here.handle(QuotaMembership, 1, add(1), context());
      expect(await groups()).to.have.members([100, 101, 102, 103, 104, 1]);
    });

    it('lets go of what it knows when the log has less', async () => {
      let current: EventStore = store;
      const swapped = new Proxy(store, {
        get: (_, name) => {
          const method = Reflect.get(current, name) as unknown;
          return typeof method === 'function' ? (method.bind(current) as unknown) : method;
        },
      });
      const commands = process(swapped);
      await commands.handle(QuotaMembership, 1, add(1), context());
      current = store = new MemoryEventStore(); // restored from an old back-up
      await commands.handle(QuotaMembership, 1, add(2), context());
      expect(await groups()).to.deep.equal([2]);
    });
  });

  describe('when the log does not answer', () => {
    const silent = () => new EventStoreUnavailable('no answer');

    it('appends once though the answer was lost', async () => {
      let lost = 2;
      const commands = process(
        intercepted({
          afterAppend: () => {
            if (lost-- > 0) throw silent();
          },
        }),
      );
      const { revision } = await commands.handle(QuotaMembership, 1, add(1), context());
      expect(revision).to.equal(0);
      expect(await store.readStream(stream)).to.have.length(1);
    });

    it('says after three attempts that the outcome is unknown, and decides no second time', async () => {
      let [gathered, appends] = [0, 0];
      let healthy = false;
      const commands = process(
        intercepted({
          afterAppend: () => {
            appends += 1;
            if (!healthy) throw silent();
          },
        }),
      );
      const facts = () => {
        gathered += 1;
        return Promise.resolve(add(1));
      };
      const error = await rejection(commands.handle(QuotaMembership, 1, facts, context()));
      expect(error).to.be.instanceOf(EventStoreUnavailable);
      expect([gathered, appends]).to.deep.equal([1, 3]);
      healthy = true;
      await commands.handle(QuotaMembership, 1, add(2), context());
      expect(await groups()).to.deep.equal([1, 2]);
    });

    it('says so too where it cannot be tried again, as the vault is away with it', async () => {
      const actor = { id: 5, name: 'root' };
      const keys = new TestPeople();
      let healthy = true;
      people.ensure = (id) => (healthy ? keys.ensure(id) : Promise.reject(new DatabaseUnavailable('away')));
      const commands = process(
        intercepted({
          afterAppend: () => {
            healthy = false;
            throw silent();
          },
        }),
      );
      const handled = commands.handle(QuotaMembership, 1, add(1), { ...context(), actor });
      expect(await rejection(handled)).to.be.instanceOf(EventStoreUnavailable);
      expect(await store.readStream(stream), 'it was done').to.have.length(1);
      const known = commands.handle(QuotaMembership, 1, add(2), { ...context(), actor });
      expect(await rejection(known), 'of what was never sent').to.be.instanceOf(DatabaseUnavailable);
    });

    it('does not try again what took too long', async () => {
      let appends = 0;
      const beforeAppend = () => {
        appends += 1;
        throw silent();
      };
      const commands = process(intercepted({ beforeAppend }), { patienceMs: 0 });
      await rejection(commands.handle(QuotaMembership, 1, add(1), context()));
      expect(appends).to.equal(1);
    });

    it('fails at once what waited for its turn meanwhile, and nothing that comes later', async () => {
      let reads = 0;
      let healthy = false;
      const beforeRead = () => {
        reads += 1;
        if (!healthy) throw silent();
      };
      const commands = process(intercepted({ beforeRead }));
      const handle = (id: number) => commands.handle(QuotaMembership, 1, add(id), context());
      const errors = await Promise.all([1, 2, 3].map((id) => rejection(handle(id))));
      for (const error of errors) expect(error).to.be.instanceOf(EventStoreUnavailable);
      expect(reads).to.equal(1);
      healthy = true;
      await handle(4);
      expect(await groups()).to.deep.equal([4]);
    });
  });

  describe('a repeatable command', () => {
    const repeatable = (commandId: string): CommandContext => ({ commandId, at, repeatable: true });

    it('counts as what its first attempt decided, where that arrives right before its second one', async () => {
      let arrives: (() => Promise<unknown>) | undefined;
      const slow = intercepted({
        beforeAppend(name, events) {
          arrives = () => store.append(name, 'noStream', events);
          throw new EventStoreUnavailable('no answer');
        },
      });
      await rejection(process(slow).handle(QuotaMembership, 1, set(1, 2), repeatable('once')));
      const between = intercepted({
        async beforeAppend() {
          await arrives?.();
          arrives = undefined;
        },
      });
      const commands = process(between);
      const { events, revision } = await commands.handle(QuotaMembership, 1, add(3), repeatable('once'));
      expect([events.map(({ data }) => data.groupId), revision]).to.deep.equal([[1, 2], 1]);
      await commands.handle(QuotaMembership, 1, add(3), context());
      expect([...(await commands.load(QuotaMembership, 1)).state.groups.keys()]).to.deep.equal([1, 2, 3]);
      expect(await groups()).to.deep.equal([1, 2, 3]);
    });

    it('that arrived while the store took it for overtaken answers as if it had been told so', async () => {
      let isTold = false;
      const unaware = intercepted({
        afterAppend(name) {
          if (isTold) return;
          isTold = true;
          throw new WrongExpectedVersion(name, 'noStream', 1);
        },
      });
      const telling = { ...repeatable('once'), beforeAppend: () => undefined };
      const { events, revision } = await process(unaware).handle(QuotaMembership, 1, set(1, 2), telling);
      expect([events.map(({ data }) => data.groupId), revision]).to.deep.equal([[1, 2], 1]);
    });

    it('that would now be refused answers as the first time', async () => {
      const first = await process().handle(QuotaMembership, 1, add(7), repeatable('once'));
      await process().handle(QuotaMembership, 1, add(8), context());
      expect(await process().handle(QuotaMembership, 1, add(7), repeatable('once'))).to.deep.include({
        revision: first.revision,
        position: first.position,
      });
      expect(await groups()).to.deep.equal([7, 8]);
    });

    it('is done once though it would change something again', async () => {
      const commands = process();
      const first = await commands.handle(QuotaMembership, 1, set(1, 2), repeatable('once'));
      await commands.handle(QuotaMembership, 1, set(3), context());
      const second = await commands.handle(QuotaMembership, 1, set(1, 2), repeatable('once'));
      expect(second.events.map((event) => event.data.groupId)).to.deep.equal([1, 2]);
      expect(second.position).to.equal(first.position);
      expect(await groups()).to.deep.equal([3]);
    });

    for (const count of [100, 250])
      it(`is found behind ${count} later events, and a day later`, async () => {
        const commands = process();
        await commands.handle(QuotaMembership, 1, add(1000), repeatable('once'));
        for (let id = 1; id <= count; id++) await commands.handle(QuotaMembership, 1, add(id), context());
        clock = new Date(clock.getTime() + 24 * 60 * 60 * 1000);
        const again = { ...repeatable('once'), at: clock.toISOString() };
        const { revision } = await commands.handle(QuotaMembership, 1, add(1000), again);
        expect(revision).to.equal(0);
      });

    it('is found whole, however many events it gave', async () => {
      const commands = process();
      const ids = Array.from({ length: 250 }, (_, index) => index + 1);
      await commands.handle(QuotaMembership, 1, set(...ids), repeatable('once'));
      for (let id = 1001; id <= 1030; id++) await commands.handle(QuotaMembership, 1, add(id), context());
      const { events } = await commands.handle(QuotaMembership, 1, set(...ids), repeatable('once'));
      expect(events.map(({ data }) => data.groupId)).to.have.members(ids);
    });

    it('that was refused is decided anew', async () => {
      const commands = process();
      await rejection(commands.handle(QuotaMembership, 1, remove(7), repeatable('once')));
      await commands.handle(QuotaMembership, 1, add(7), context());
      await commands.handle(QuotaMembership, 1, remove(7), repeatable('once'));
      expect(await groups()).to.deep.equal([]);
    });

    it('is searched for only where it told of an append in an earlier attempt', async () => {
      let reads = 0;
      const commands = process(intercepted({ beforeRead: () => ++reads }));
      await commands.handle(QuotaMembership, 1, add(7), context());
      const told: string[] = [];
      const telling = { ...repeatable('once'), beforeAppend: (stream: string) => void told.push(stream) };
      reads = 0;
      const first = await commands.handle(QuotaMembership, 1, set(1, 2), telling);
      expect(reads).to.equal(0);
      await commands.handle(QuotaMembership, 1, set(3), context());
      const again = { ...telling, attempted: told[0] };
      expect((await commands.handle(QuotaMembership, 1, set(1, 2), again)).position).to.equal(first.position);
      expect(await groups()).to.deep.equal([3]);
    });

    it('is not searched for beyond a day', async () => {
      const before = process();
      for (let id = 1; id <= 200; id++) await before.handle(QuotaMembership, 1, add(id), context());
      clock = new Date('2026-02-01T00:00:00Z');
      let reads = 0;
      let searched = 0;
      const commands = process(
        intercepted({ beforeRead: () => ++reads, beforeAppend: () => (searched = reads) }),
      );
      await commands.handle(QuotaMembership, 1, set(), { ...repeatable('once'), at: clock.toISOString() });
      expect(searched).to.equal(2); // the stream itself, and one page of what came last
    });
  });
});
