import { expect } from 'chai';
import { RecentWrites } from '../../src/http/recent-writes.js';
import { VISIBLE_WITHIN_MS } from '../../src/read-your-writes/read-your-writes.js';

const ACCOUNT = 7;

describe('recent writes', () => {
  let clock: number;
  let shows: boolean;
  /** What was waited for, and how long it was given. */
  let waits: (readonly [bigint, number])[];
  let writes: RecentWrites;
  beforeEach(() => {
    [clock, shows, waits] = [0, false, []];
    const wait = (position: bigint, within = VISIBLE_WITHIN_MS) => {
      waits.push([position, within]);
      return Promise.resolve(shows);
    };
    writes = new RecentWrites({ wait }, () => clock);
  });

  it('are waited for longer by the requests that follow, but not ever longer', async () => {
    await writes.settle(ACCOUNT, 5n);
    clock = 3_000;
    await writes.before(ACCOUNT, undefined);
    await writes.settle(ACCOUNT, 6n);
    clock = 9_000;
    await writes.before(ACCOUNT, undefined);
    expect(waits).to.deep.equal([
      [5n, VISIBLE_WITHIN_MS],
      [5n, 7_000],
      [6n, VISIBLE_WITHIN_MS],
      [6n, VISIBLE_WITHIN_MS],
    ]);
  });

  it('are forgotten once they show', async () => {
    await writes.settle(ACCOUNT, 5n);
    shows = true;
    expect(await writes.before(ACCOUNT, undefined)).to.equal(true);
    expect(writes.before(ACCOUNT, undefined)).to.equal(undefined);
  });

  it('concern their own account, and whoever sends a position', async () => {
    await writes.settle(ACCOUNT, 5n);
    expect(writes.before(ACCOUNT + 1, undefined)).to.equal(undefined);
    await writes.before(ACCOUNT, 9n);
    await writes.before(undefined, 4n);
    expect(waits.slice(1)).to.deep.equal([
      [9n, VISIBLE_WITHIN_MS],
      [4n, VISIBLE_WITHIN_MS],
    ]);
  });

  it('are given more time where there is nothing to answer with', async () => {
    await writes.shown(5n);
    expect(waits).to.deep.equal([[5n, 10_000]]);
  });
});
