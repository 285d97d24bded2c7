import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { eachOf } from '../../src/concurrency/each-of.js';
import { rejection } from '../support/rejection.js';

describe('work for each of many', () => {
  it('is done for all, so many at a time', async () => {
    const done: number[] = [];
    let [running, most] = [0, 0];
    await eachOf([1, 2, 3, 4, 5], 2, async (item) => {
      most = Math.max(most, ++running);
      await turn();
      running -= 1;
      done.push(item);
    });
    expect(done).to.have.members([1, 2, 3, 4, 5]);
    expect(most).to.equal(2);
  });

  it('begins no more after a failure, and fails once what has begun is over', async () => {
    const begun: number[] = [];
    let isOver = false;
    const work = async (item: number) => {
      begun.push(item);
      if (item === 1) throw new Error('broken');
      await turn();
      isOver = true;
    };
    expect(await rejection(eachOf([1, 2, 3, 4], 2, work))).to.have.property('message', 'broken');
    expect([begun, isOver]).to.deep.equal([[1, 2], true]);
  });
});
