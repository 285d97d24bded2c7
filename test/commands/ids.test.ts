import { expect } from 'chai';
import { CommandHandler } from '../../src/commands/handle.js';
import { Ids } from '../../src/commands/ids.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { EventStoreUnavailable, type EventStore } from '../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { InterceptedStore } from '../support/intercepted-store.js';
import { TestPeople } from '../support/people.js';
import { rejection } from '../support/rejection.js';

describe('Ids', () => {
  let store: MemoryEventStore;
  const process = (blockSize: number, on: EventStore = store) =>
    new Ids({
      commands: new CommandHandler({ log: new EventLog({ store: on, people: new TestPeople() }) }),
      blockSize,
    });

  beforeEach(() => {
    store = new MemoryEventStore();
  });

  it('begin at 1 and follow each other, each kind by itself', async () => {
    const ids = process(3);
    const given: number[] = [];
    for (let n = 0; n < 7; n++) given.push(await ids.next('account'));
    expect(given).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect(await ids.next('quotaRule')).to.equal(1);
  });

  it('cost one append a block', async () => {
    const ids = process(10);
    await Promise.all(Array.from({ length: 30 }, () => ids.next('account')));
    expect(await store.readStream('ids-account')).to.have.length(3);
  });

  it('are never given twice, by however many processes at once', async () => {
    const processes = [process(1), process(2), process(7)];
    const given = await Promise.all(
      processes.flatMap((ids) => Array.from({ length: 40 }, () => ids.next('account'))),
    );
    expect(new Set(given).size).to.equal(120);
  });

  it('of a process that ended are not used again', async () => {
    expect(await process(10).next('account')).to.equal(1);
    expect(await process(10).next('account')).to.equal(11);
  });

  it('are not waited for any longer by those behind one that finds the log away', async () => {
    let asked = 0;
    const away = new InterceptedStore(store, {
      beforeRead() {
        asked += 1;
        throw new EventStoreUnavailable('no answer');
      },
    });
    const ids = process(10, away);
    const waiting = [1, 2, 3].map(() => rejection(ids.next('account')));
    for (const error of await Promise.all(waiting)) expect(error).to.be.instanceOf(EventStoreUnavailable);
    expect(asked).to.equal(1);
  });
});
