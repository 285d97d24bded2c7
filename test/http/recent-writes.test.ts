import { expect } from 'chai';
import { RecentWrites } from '../../src/http/recent-writes.js';
import { VISIBLE_WITHIN_MS } from '../../src/read-your-writes/read-your-writes.js';

const ACCOUNT = 7;

describe('recent writes', () => {
  let clock: number;
  let shows: boolean;
  /** When those who wait are told. */
  let held: Promise<void>;
  /** What was waited for, and how long it was given. */
  let waits: (readonly [bigint, number])[];
  let writes: RecentWrites;
  beforeEach(() => {
    [clock, shows, held, waits] = [0, false, Promise.resolve(), []];
    const wait = (position: bigint, within = VISIBLE_WITHIN_MS) => {
      waits.push([position, within]);
      const shown = shows;
      return held.then(() => shown);
    };
    writes = new RecentWrites({ wait }, () => clock);
  });

  it('are waited for longer by the requests that follow, but not ever longer', async () => {
    await writes.settle(ACCOUNT, 5n);
    clock = 3_000;
    await writes.before(ACCOUNT);
    await writes.settle(ACCOUNT, 6n);
    clock = 9_000;
    await writes.before(ACCOUNT);
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
    expect(await writes.before(ACCOUNT)).to.equal(true);
    expect(writes.before(ACCOUNT)).to.equal(undefined);
  });

  it('are not waited for again where they showed at once, nor where nobody signed in', async () => {
    await writes.settle(undefined, 5n);
    shows = true;
    await writes.settle(ACCOUNT, 5n);
    expect(writes.before(ACCOUNT)).to.equal(undefined);
    expect(writes.before(undefined)).to.equal(undefined);
  });

  it('are waited for up to the newest, in whichever order they were answered', async () => {
    await writes.settle(ACCOUNT, 6n);
    await writes.settle(ACCOUNT, 5n);
    await writes.before(ACCOUNT);
    expect(waits.at(-1)).to.deep.equal([6n, 10_000]);
  });

  it('are not forgotten with those before them', async () => {
    await writes.settle(ACCOUNT, 5n);
    let show: () => void = () => undefined;
    [shows, held] = [true, new Promise((resolve) => (show = resolve))];
    const before = writes.before(ACCOUNT);
    [shows, held] = [false, Promise.resolve()];
    await writes.settle(ACCOUNT, 6n);
    show();
    await before;
    await writes.before(ACCOUNT);
    expect(waits.at(-1)).to.deep.equal([6n, 10_000]);
  });

  it('concern their own account, and whoever sends a position', async () => {
    await writes.settle(ACCOUNT, 5n);
    expect(writes.before(ACCOUNT + 1)).to.equal(undefined);
    await writes.sent(9n);
    await writes.sent(4n);
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
