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
});
