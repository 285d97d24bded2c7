import { expect } from 'chai';
import { CommandHandler } from '../../src/commands/handle.js';
import { Ids } from '../../src/commands/ids.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { TestPeople } from '../support/people.js';

describe('Ids', () => {
  let store: MemoryEventStore;
  const process = (blockSize: number) =>
    new Ids({
      commands: new CommandHandler({ log: new EventLog({ store, people: new TestPeople() }) }),
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
});
