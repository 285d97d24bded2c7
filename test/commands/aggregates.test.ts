import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Map } from 'immutable';
import { Aggregates, nothingOf } from '../../src/commands/aggregates.js';
import { roughSize } from '../../src/commands/rough-size.js';
import { EventLog } from '../../src/event-log/event-log.js';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { TestPeople } from '../support/people.js';

type Names = Map<number, string>;
const names = (count: number): Names => Map(Array.from({ length: count }, (_, key) => [key, `name ${key}`]));

describe('the aggregates that a process knows', () => {
  const grows = {
    category: 'names',
    initialState: names(0),
    evolve: (_: Names, { data }: { data: { count?: number } }) => names(data.count ?? 0),
  };
  const known = (maxBytes: number) => {
    const log = new EventLog({ store: new MemoryEventStore(), people: new TestPeople() });
    return new Aggregates(log, { max: 100, maxBytes });
  };
  const event = (count: number) => ({ type: 'Grown', data: { count } });
  const appended = { revision: 0, position: 1n };
  const note = (aggregates: Aggregates, id: string, count: number) =>
    aggregates.advance(grows, id, nothingOf(grows), [event(count)], appended);

  it('are fewer where they are large', () => {
    const aggregates = known(1_000_000);
    const ids = Array.from({ length: 50 }, (_, id) => String(id));
    const kept = () => ids.filter((id) => aggregates.recall(grows, id)).length;
    for (const id of ids) note(aggregates, id, 10);
    expect(kept()).to.equal(50);
    for (const id of ids) note(aggregates, id, 1_000);
    expect(kept()).to.be.within(2, 20);
  });

  it('are fewer where their decider knows them to be large', () => {
    const aggregates = known(1_000);
    const told = { ...grows, bytesOf: (state: Names) => state.size };
    for (const id of ['a', 'b', 'c']) aggregates.advance(told, id, nothingOf(told), [event(400)], appended);
    expect(['a', 'b', 'c'].filter((id) => aggregates.recall(told, id))).to.deep.equal(['b', 'c']);
  });

  it('are one at least, however large it is', () => {
    const aggregates = known(1_000);
    note(aggregates, 'a', 1_000);
    note(aggregates, 'b', 1_000);
    expect(aggregates.recall(grows, 'a')).to.equal(undefined);
    expect(aggregates.recall(grows, 'b')?.state).to.have.property('size', 1_000);
  });

  it('are none of streams that do not exist', async () => {
    const aggregates = known(1_000);
    expect(await aggregates.load(grows, 'a')).to.include({ revision: 'noStream' });
    expect(aggregates.recall(grows, 'a')).to.equal(undefined);
  });

  it('are loaded part by part, however long their streams are', async () => {
    const store = new MemoryEventStore();
    const events = Array.from({ length: 1_700 }, (_, count) => ({
      id: randomUUID(),
      type: 'Grown',
      data: { count },
      metadata: { schemaVersion: 1 },
    }));
    await store.append('names-a', 'noStream', events);
    let [read, most] = [0, 0];
    const readStream: MemoryEventStore['readStream'] = async (...asked) => {
      const found = await MemoryEventStore.prototype.readStream.apply(store, asked);
      [read, most] = [read + found.length, Math.max(most, found.length)];
      return found;
    };
    const types = { Grown: { categories: ['names'], version: 1 } };
    const log = new EventLog({
      store: Object.assign(store, { readStream }),
      people: new TestPeople(),
      types,
      upcasters: [],
    });
    const aggregates = new Aggregates(log, { max: 100, maxBytes: 1_000_000 });
    const loaded = await aggregates.load(grows, 'a');
    expect(loaded).to.include({ revision: 1_699, position: 1_700n });
    expect(loaded.state.size).to.equal(1_699);
    expect(aggregates.recall(grows, 'a')).to.equal(loaded);
    expect(read).to.equal(1_700);
    expect(most).to.be.at.most(500);
  });

  it('have a size that follows their texts and their number', () => {
    const comments = (body: string, count: number) => ({
      comments: Map(Array.from({ length: count }, (_, key) => [key, { authorId: 1, body }])),
      labels: [],
      none: null,
    });
    expect(roughSize(comments('', 0))).to.be.within(100, 1_000);
    expect(roughSize(comments('x'.repeat(1_000), 1_000))).to.be.within(1_000_000, 1_500_000);
    expect(roughSize(comments('', 1_000))).to.be.within(50_000, 500_000);
  });

  it('are measured by a few of many members', () => {
    let looked = 0;
    const members = Array.from({ length: 1_000 }, () => ({
      get text() {
        return (looked += 1);
      },
    }));
    roughSize({ members });
    expect(looked).to.be.within(1, 100);
  });
});
