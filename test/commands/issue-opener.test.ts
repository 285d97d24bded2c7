import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { CommandContext } from '../../src/commands/context.js';
import { CommandHandler } from '../../src/commands/handle.js';
import { IssueOpener } from '../../src/commands/issues/issue-opener.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { EventStoreUnavailable, type EventData, type EventStore } from '../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

const at = '2026-01-01T00:00:00Z';
const FIRST = 'issue-1-1';

/** A request with an Idempotency-Key is cut off while its append is on the way, and is sent again. */
describe('an issue whose opening has no answer', () => {
  let store: MemoryEventStore;
  let people: TestPeople;
  /** What the log has not taken yet. */
  let late: readonly EventData[];

  const opener = (on: EventStore) =>
    new IssueOpener(new CommandHandler({ log: new EventLog({ store: on, people }) }));
  const open = (by: IssueOpener, last: () => Promise<number>, context: CommandContext) => {
    const facts = { title: 't', body: '', ref: '', dueAt: null, milestoneId: null, assigneeIds: [] };
    const data = { issueId: 7, posterId: 1, facts, labelIds: [], scopes: {}, isClosed: false, at };
    return by.open(1, last, data, context);
  };
  const again = { commandId: 'same', at, repeatable: true, attempted: FIRST };
  const arrives = () => store.append(FIRST, 'noStream', late);
  const eventsOf = async (stream: string) => (await store.readStream(stream)).length;

  beforeEach(async () => {
    store = new MemoryEventStore();
    people = new TestPeople();
    const slow = new InterceptedStore(store, {
      beforeAppend(_, events) {
        late = events;
        throw new EventStoreUnavailable('no answer');
      },
    });
    const cutOff = open(opener(slow), () => Promise.resolve(0), { commandId: 'same', at, repeatable: true });
    expect(await rejection(cutOff)).to.be.instanceOf(EventStoreUnavailable);
  });

  it('is the same where the append arrives afterwards', async () => {
    expect(await open(opener(store), () => Promise.resolve(0), again)).to.include({ number: 1 });
    await arrives();
    expect([await eventsOf(FIRST), await eventsOf('issue-1-2')]).to.deep.equal([1, 0]);
  });

  it('is the same where the append arrives after the log was asked for it', async () => {
    let asked = false;
    const between = new InterceptedStore(store, {
      async beforeAppend() {
        if (!asked) await arrives();
        asked = true;
      },
    });
    const projected = () => arrives().then(() => 1);
    expect(await open(opener(between), projected, again)).to.include({ number: 1 });
    expect([await eventsOf(FIRST), await eventsOf('issue-1-2')]).to.deep.equal([1, 0]);
  });

  it('is the next one where another has the index, which the append then cannot take', async () => {
    await open(opener(store), () => Promise.resolve(0), { commandId: 'another', at });
    expect(await open(opener(store), () => Promise.resolve(1), again)).to.include({ number: 2 });
    await rejection(arrives());
    expect([await eventsOf(FIRST), await eventsOf('issue-1-2')]).to.deep.equal([1, 1]);
  });

  it('fails, while the log is away, together with those that wait for it', async () => {
    let appends = 0;
    const away = new InterceptedStore(store, {
      async beforeAppend() {
        appends += 1;
        await sleep(10);
        throw new EventStoreUnavailable('no answer');
      },
    });
    const by = opener(away);
    const asked = Array.from({ length: 5 }, (_, n) =>
      open(by, () => Promise.resolve(0), { commandId: `${n}`, at }),
    );
    for (const error of await Promise.all(asked.map(rejection)))
      expect(error).to.be.instanceOf(EventStoreUnavailable);
    expect(appends).to.equal(3); // those of one command
    await rejection(open(by, () => Promise.resolve(0), { commandId: 'later', at }));
    expect(appends).to.equal(6);
  });
});
