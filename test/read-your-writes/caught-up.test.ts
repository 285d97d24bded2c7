import { expect } from 'chai';
import { caughtUp } from '../../src/read-your-writes/caught-up.js';
import { rejection } from '../support/rejection.js';

describe('A new connection to the read models', () => {
  it('is given up with its time, also while the log says nothing', async () => {
    const log = { lastPosition: () => new Promise<never>(() => undefined) };
    const connection = { rows: () => Promise.resolve([]) };
    const ended = new AbortController();
    const admitted = caughtUp(connection, { log, schemas: {}, signal: ended.signal });
    ended.abort();
    expect(await rejection(admitted)).to.be.instanceOf(Error);
  });

  it('waits for no read model that is stopped', async () => {
    const stopped = { schema: 'people_v1', stream: 'a-1', revision: 0, position: '4', error: 'no' };
    const answers: object[][] = [
      [{ schema: 'people_v1' }],
      [{ schema: 'people_v1', position: '3' }],
      [{ ...stopped, stopped_at: new Date(0) }],
    ];
    const connection = { rows: <R>() => Promise.resolve((answers.shift() ?? []) as R[]) };
    const log = { lastPosition: () => Promise.resolve(9n) };
    const { signal } = new AbortController();
    await caughtUp(connection, { log, schemas: { people: 'people_v1' }, signal });
    expect(answers).to.have.length(0);
  });
});
