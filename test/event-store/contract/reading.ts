import { expect } from 'chai';
import { START, type Revision } from '../../../src/event-store/event-store.js';
import { idsOf, newStream, sample, samples, type Fixture } from './samples.js';

export function reading(fixture: Fixture): void {
  const revisions = async (
    stream: string,
    options: Parameters<ReturnType<Fixture>['store']['readStream']>[1],
  ) => (await fixture().store.readStream(stream, options)).map(({ revision }) => revision);

  it('gives back what was appended', async () => {
    const { store } = fixture();
    const stream = newStream();
    const event = {
      ...sample({
        text: 'ünï ☃ 🚀 "quoted" \\ \n \u0000 \ud800 {},',
        number: -1.5e-7,
        large: Number.MAX_SAFE_INTEGER,
        nested: { list: [1, null, true, { deep: [] }], empty: {} },
      }),
      type: 'Über\'"{,}',
      metadata: { $correlationId: 'a', schemaVersion: 1 },
    };
    const { position } = await store.append(stream, 'noStream', [event]);
    const [recorded] = await store.readStream(stream);
    expect(recorded).to.deep.include({ ...event, stream, revision: 0, position });
    expect(recorded?.recordedAt).to.be.instanceOf(Date);
  });

  it('leaves out fields that are undefined', async () => {
    const { store } = fixture();
    const stream = newStream();
    await store.append(stream, 'noStream', [sample({ kept: 1, left: undefined })]);
    const [recorded] = await store.readStream(stream);
    expect(recorded?.data).to.have.all.keys('kept');
  });

  it('reads a stream that does not exist as empty', async () => {
    const { store } = fixture();
    expect(await store.readStream(newStream())).to.deep.equal([]);
    expect(await store.readStream(newStream(), { direction: 'backwards', from: 3, max: 1 })).to.deep.equal(
      [],
    );
  });

  it('reads in both directions, from a revision, at most so many', async () => {
    const { store } = fixture();
    const stream = newStream();
    await store.append(stream, 'noStream', samples(4));
    await store.append(stream, 3, samples(3));
    expect(await revisions(stream, {})).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(await revisions(stream, { from: 3 })).to.deep.equal([3, 4, 5, 6]);
    expect(await revisions(stream, { from: 2, max: 3 })).to.deep.equal([2, 3, 4]);
    expect(await revisions(stream, { from: 7 })).to.deep.equal([]);
    expect(await revisions(stream, { direction: 'backwards' })).to.deep.equal([6, 5, 4, 3, 2, 1, 0]);
    expect(await revisions(stream, { direction: 'backwards', max: 1 })).to.deep.equal([6]);
    expect(await revisions(stream, { direction: 'backwards', from: 2 })).to.deep.equal([2, 1, 0]);
    expect(await revisions(stream, { direction: 'backwards', from: 99, max: 2 })).to.deep.equal([6, 5]);
    expect(await revisions(stream, { max: 0 })).to.deep.equal([]);
  });

  it('reads page by page without loss or repeat', async () => {
    const { store } = fixture();
    const stream = newStream();
    const events = samples(250);
    await store.append(stream, 'noStream', events);
    const read: string[] = [];
    for (let from: Revision = 0; ;) {
      const page = await store.readStream(stream, { from, max: 100 });
      read.push(...idsOf(page));
      if (page.length < 100) break;
      from += page.length;
    }
    expect(read).to.deep.equal(idsOf(events));
  });

  it('reads the ends of many streams at once, short and long, each as it would be read alone', async () => {
    const { store } = fixture();
    const lengths = [1, 2, 9, 10, 30];
    const streams = await Promise.all(
      lengths.map(async (length) => {
        const [stream, events] = [newStream(), samples(length)];
        await store.append(stream, 'noStream', events);
        return { stream, ids: events.map(({ id }) => id) };
      }),
    );
    const asked = streams.flatMap(({ stream, ids }) =>
      [1, 1, 2, 7, 40].flatMap((from) => [
        { stream, part: { from }, expected: ids.slice(from) },
        { stream, part: { from, max: 8 }, expected: ids.slice(from, from + 8) },
        { stream, part: { from, max: 3 }, expected: ids.slice(from, from + 3) },
      ]),
    );
    asked.push({ stream: newStream(), part: { from: 1 }, expected: [] });
    const read = await Promise.all(asked.map(({ stream, part }) => store.readStream(stream, part)));
    expect(read.map(idsOf)).to.deep.equal(asked.map(({ expected }) => expected));
  });

  it('hands out events that a caller cannot change in the log', async () => {
    const { store } = fixture();
    const stream = newStream();
    const data = { list: [1] };
    await store.append(stream, 'noStream', [sample(data)]);
    data.list.push(2);
    const [recorded] = await store.readStream(stream);
    (recorded?.data.list as number[]).push(3);
    expect((await store.readStream(stream))[0]?.data).to.deep.equal({ list: [1] });
  });

  it('knows the position at a time', async () => {
    const { store } = fixture();
    const stream = newStream();
    await store.append(stream, 'noStream', samples(2));
    const { position } = await store.append(stream, 1, samples(2));
    const last = (await store.readStream(stream)).at(-1);
    if (!last) throw new Error('nothing was read');
    expect(await store.positionAt(last.recordedAt)).to.equal(position);
    expect(await store.positionAt(new Date('2100-01-01'))).to.equal(position);
    expect((await store.positionAt(new Date(last.recordedAt.getTime() - 1))) < position).to.equal(true);
    expect(await store.positionAt(new Date('2000-01-01'))).to.equal(START);
    expect(await store.timeAt(position)).to.deep.equal(last.recordedAt);
    expect(await store.timeAt(2n ** 63n - 1n)).to.deep.equal(last.recordedAt);
    expect(await store.timeAt(START)).to.deep.equal(new Date(0));
  });
}
