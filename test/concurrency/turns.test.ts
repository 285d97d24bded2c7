import { expect } from 'chai';
import { Turns } from '../../src/concurrency/turns.js';

function busy(ms: number): string {
  for (const until = performance.now() + ms; performance.now() < until;);
  return 'done';
}

describe('work in turns', () => {
  it('lets others have theirs once it has had one, and says what it took', async () => {
    const turns = new Turns();
    let others = 0;
    const other = () => {
      others += 1;
      if (others < 100) setImmediate(other);
    };
    setImmediate(other);
    for (let piece = 0; piece < 4; piece += 1) expect(await turns.take(() => busy(15))).to.equal('done');
    expect(others).to.be.within(1, 4);
    expect(turns.spentMs).to.be.at.least(60);
  });
});
