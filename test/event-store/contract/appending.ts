import { expect } from 'chai';
import { WrongExpectedVersion } from '../../../src/event-store/event-store.js';
import {
  answers,
  appendSurely,
  idsOf,
  newStream,
  rejection,
  sample,
  samples,
  withAnother,
  type Fixture,
} from './samples.js';

export function appending(fixture: Fixture): void {
  it('starts a stream that must not exist, and goes on at its exact revision', async () => {
    const { store } = fixture();
    const stream = newStream();
    const first = await store.append(stream, 'noStream', samples(2));
    const second = await store.append(stream, 1, samples(3));
    expect([first.revision, second.revision]).to.deep.equal([1, 4]);
    expect(second.position > first.position).to.equal(true);
  });

  it('refuses every other expected revision, and names the actual one', async () => {
    const { store } = fixture();
    const stream = newStream();
    const onMissing = await rejection(store.append(stream, 0, [sample()]), WrongExpectedVersion);
    await store.append(stream, 'noStream', samples(3));
    const missing = await rejection(store.append(stream, 'noStream', [sample()]), WrongExpectedVersion);
    const behind = await rejection(store.append(stream, 1, [sample()]), WrongExpectedVersion);
    const ahead = await rejection(store.append(stream, 3, [sample()]), WrongExpectedVersion);
    expect(onMissing).to.include({ stream, expected: 0, actual: 'noStream' });
    expect(missing).to.include({ stream, expected: 'noStream', actual: 2 });
    expect(behind).to.include({ stream, expected: 1, actual: 2 });
    expect(ahead).to.include({ stream, expected: 3, actual: 2 });
    expect(await store.readStream(stream)).to.have.length(3);
  });

  it('lets one of many racing writers win', async () => {
    const { store } = fixture();
    const stream = newStream();
    const outcomes = await withAnother(fixture, (other) =>
      Promise.allSettled(
        [store, other, store, other, store, other, store, other].map((writer) =>
          writer.append(stream, 'noStream', [sample()]),
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).to.be.instanceOf(WrongExpectedVersion).and.include({ actual: 0 });
      }
    }
    expect(await store.readStream(stream)).to.have.length(1);
  });

  it('answers a retry of the same ids as the first time and appends nothing', async () => {
    const { store } = fixture();
    const stream = newStream();
    const [creation, change] = [samples(2), samples(2)];
    const created = await store.append(stream, 'noStream', creation);
    const changed = await store.append(stream, 1, change);
    expect(await store.append(stream, 1, change)).to.deep.equal(changed);
    await store.append(stream, 3, samples(10));
    await store.append(newStream(), 'noStream', samples(10));
    expect(await store.append(stream, 'noStream', creation), 'long after, new stream').to.deep.equal(created);
    expect(await store.append(stream, 1, change), 'long after, exact').to.deep.equal(changed);
    expect(await store.readStream(stream)).to.have.length(14);
  });

  it('answers a retry of the first ids of an append with their place', async () => {
    const { store } = fixture();
    const stream = newStream();
    const events = samples(3);
    await store.append(stream, 'noStream', events);
    const prefix = await store.append(stream, 'noStream', events.slice(0, 2));
    const [, second] = await store.readStream(stream);
    expect(prefix).to.deep.equal({ revision: 1, position: second?.position });
    expect(await store.readStream(stream)).to.have.length(3);
  });

  it('refuses old ids with a new one behind', async () => {
    const { store } = fixture();
    const stream = newStream();
    const old = samples(2);
    await store.append(stream, 'noStream', old);
    const mixed = store.append(stream, 'noStream', [...old, sample()]);
    expect(await rejection(mixed, WrongExpectedVersion)).to.include({ actual: 1 });
    expect(await store.readStream(stream)).to.have.length(2);
  });

  it('refuses old ids in another order', async () => {
    const { store } = fixture();
    const stream = newStream();
    const old = samples(2);
    await store.append(stream, 'noStream', old);
    await rejection(store.append(stream, 'noStream', old.toReversed()), WrongExpectedVersion);
    expect(await store.readStream(stream)).to.have.length(2);
  });

  it('appends once when the answer was lost and the same ids come again', async function () {
    const { store, cut } = fixture();
    if (!cut) this.skip();
    const stream = newStream();
    const events = samples(3);
    const unanswered = store.append(stream, 'noStream', events);
    unanswered.catch(() => undefined);
    await cut();
    const { revision } = await appendSurely(store, stream, 'noStream', events);
    expect(revision).to.equal(2);
    expect(idsOf(await store.readStream(stream))).to.deep.equal(idsOf(events));
  });

  it('gives growing positions, of which the last is the last position', async () => {
    const { store } = fixture();
    const stream = newStream();
    const before = await store.lastPosition();
    const { position } = await store.append(stream, 'noStream', samples(5));
    const positions = [before, ...(await store.readStream(stream)).map((event) => event.position)];
    expect(positions).to.deep.equal(positions.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Set(positions)).to.have.property('size', 6);
    expect(positions.at(-1)).to.equal(position);
    expect(await store.lastPosition()).to.equal(position);
  });

  it('answers a ping', () => answers(fixture().store));
}
