import { expect } from 'chai';
import { Pages } from '../../../src/event-store/postgres/pages.js';
import { WakeUps } from '../../../src/event-store/postgres/wake-ups.js';

describe('Pages', () => {
  let wakeUps: WakeUps;
  let reads: number;
  let pages: Pages;

  beforeEach(() => {
    wakeUps = new WakeUps();
    reads = 0;
    const query = () => {
      reads += 1;
      return Promise.resolve([]);
    };
    pages = new Pages({ query }, wakeUps);
  });

  it('reads once what several ask for in one turn of the event loop', async () => {
    const [one, other] = [pages.after(7n, 10), pages.after(7n, 10)];
    expect(other).to.equal(one);
    await new Promise(setImmediate);
    await pages.after(7n, 10);
    expect(reads).to.equal(2);
  });

  it('reads anew for who was woken meanwhile, in the same turn even', async () => {
    const reading = pages.after(7n, 10);
    wakeUps.wake();
    expect((await reading).wakeUps).to.equal(wakeUps.count - 1);
    expect((await pages.after(7n, 10)).wakeUps).to.equal(wakeUps.count);
    expect(reads).to.equal(2);
  });
});
