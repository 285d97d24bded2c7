import { expect } from 'chai';
import { findCreation } from '../../../src/commands/repositories/find-creation.js';
import type { EventLog } from '../../../src/event-log/event-log.js';

/** A stream of so many events, the creation among them, that says up to where it was read. */
function streamOf(length: number, creationAt?: number) {
  let read = 0;
  const readStream = (stream: string, { from = 0, max = Infinity } = {}) => {
    expect(stream).to.equal('repository-7');
    const types = Array.from({ length }, (_, at) =>
      at === creationAt ? 'RepositoryCreated' : 'RefsUpdated',
    );
    const page = types.slice(from, from + max).map((type, at) => ({ type, revision: from + at }));
    read = from + page.length;
    return Promise.resolve(page);
  };
  return { log: { readStream } as unknown as EventLog, read: () => read };
}

describe('the creation of a repository', () => {
  it('is found near the beginning, however long the stream has become', async () => {
    const { log, read } = streamOf(100_000, 3);
    expect(await findCreation(log, 7)).to.include({ revision: 3 });
    expect(read()).to.be.at.most(100);
  });

  it('is found behind all that filled it', async () => {
    expect(await findCreation(streamOf(120, 110).log, 7)).to.include({ revision: 110 });
  });

  it('is none where it never came to that', async () => {
    for (const length of [0, 49, 50, 51])
      expect(await findCreation(streamOf(length).log, 7)).to.equal(undefined);
  });
});
