import { expect } from 'chai';
import { InvalidAppend, MAX_APPEND_BYTES, type EventData } from '../../../src/event-store/event-store.js';
import { newStream, rejection, sample, sampleOf, samples, type Fixture } from './samples.js';

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const twice = sample();
const invalid: Record<string, readonly EventData[]> = {
  'no events': [],
  'an id that is not a UUID': [{ ...sample(), id: 'first' }],
  'an id twice': [twice, sample(), { ...twice, id: twice.id.toUpperCase() }],
  'an empty type': [{ ...sample(), type: '' }],
  'a type that cannot be stored': [{ ...sample(), type: 'Sampled\0' }],
  'a bigint in data': [sample({ limit: 1n })],
  'undefined data': [sample(), { ...sample(), data: undefined as unknown as EventData['data'] }],
  'undefined metadata': [{ ...sample(), metadata: undefined as unknown as EventData['metadata'] }],
  'data that holds itself': [sample(cycle as EventData['data'])],
  'data that is no object': [sample([] as unknown as EventData['data'])],
  'more bytes than an append may hold': [sampleOf(MAX_APPEND_BYTES - 1000), sampleOf(1001)],
  'types that fill up an append': [{ ...sampleOf(MAX_APPEND_BYTES - 21), type: 'Elevenfold.' }],
};

export function refusing(fixture: Fixture): void {
  for (const [what, events] of Object.entries(invalid)) {
    it(`refuses ${what} without harm to appends beside and after it`, async () => {
      const { store } = fixture();
      const [good, bad] = [newStream(), newStream()];
      const beside = store.append(good, 'noStream', [sample()]);
      await rejection(store.append(bad, 'noStream', events), InvalidAppend);
      expect((await beside).revision).to.equal(0);
      expect((await store.append(good, 0, [sample()])).revision).to.equal(1);
      expect(await store.readStream(bad)).to.deep.equal([]);
    });
  }

  it('refuses a stream without a name', async () => {
    await rejection(fixture().store.append('', 'noStream', [sample()]), InvalidAppend);
  });

  it('accepts an append of exactly the most bytes', async () => {
    const { store } = fixture();
    const stream = newStream();
    const event = sampleOf(MAX_APPEND_BYTES - 2 * sample().type.length);
    await store.append(stream, 'noStream', [event]);
    const [recorded] = await store.readStream(stream);
    expect(recorded?.data.text === event.data.text).to.equal(true);
    expect((await store.append(stream, 0, samples(1))).revision).to.equal(1);
  });
}
