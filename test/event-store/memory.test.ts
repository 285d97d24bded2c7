import { expect } from 'chai';
import { MemoryEventStore } from '../../src/event-store/memory/memory-event-store.js';
import { InvalidAppend, START } from '../../src/event-store/event-store.js';
import { eventStoreContract } from './contract.js';
import { newStream, rejection, sample } from './contract/samples.js';

eventStoreContract('MemoryEventStore', () => {
  const store = new MemoryEventStore();
  return Promise.resolve({ store, another: () => Promise.resolve(store), stop: () => store.close() });
});

describe('MemoryEventStore', () => {
  it('counts an event as recorded no earlier than the one before it', async () => {
    const times = [1000, 3000, 2000].map((ms) => new Date(ms));
    const store = new MemoryEventStore({ clock: () => times.shift() ?? new Date(4000) });
    const stream = newStream();
    for (const expected of ['noStream', 0, 1] as const) await store.append(stream, expected, [sample()]);
    const recorded = (await store.readStream(stream)).map(({ recordedAt }) => recordedAt.getTime());
    expect(recorded).to.deep.equal([1000, 3000, 3000]);
    expect(await store.positionAt(new Date(999))).to.equal(START);
    expect(await store.positionAt(new Date(2999))).to.equal(1n);
    expect(await store.positionAt(new Date(3000))).to.equal(3n);
  });

  it('refuses an id that stands elsewhere in the log', async () => {
    const store = new MemoryEventStore();
    const event = sample();
    await store.append(newStream(), 'noStream', [event]);
    await rejection(store.append(newStream(), 'noStream', [event]), InvalidAppend);
  });
});
