import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { oneRun } from '../../src/concurrency/one-run.js';
import { rejection } from '../support/rejection.js';

describe('one run at a time', () => {
  it('is shared by all who ask during the one before it', async () => {
    const said: string[] = [];
    let runs = 0;
    const ask = oneRun(async () => {
      const run = ++runs;
      said.push(`${run} begins`);
      await turn();
      said.push(`${run} ends`);
    });
    const first = ask();
    await Promise.resolve(); // it begins
    await Promise.all([first, ask(), ask(), ask()]);
    expect(said).to.deep.equal(['1 begins', '1 ends', '2 begins', '2 ends']);
    await ask();
    expect(runs).to.equal(3);
  });

  it('fails for those who asked for it alone', async () => {
    const results = [Promise.reject(new Error('broken')), Promise.resolve()];
    const ask = oneRun(() => results.shift() ?? Promise.reject(new Error('once too often')));
    const first = ask();
    await Promise.resolve();
    const second = ask();
    expect(await rejection(first)).to.have.property('message', 'broken');
    await second;
  });
});
