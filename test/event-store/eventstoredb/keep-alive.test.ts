import { expect } from 'chai';
import { keepAliveOptions } from '../../../src/event-store/eventstoredb/keep-alive.js';

const MAX_TIMER_MS = 2 ** 31 - 1;

const optionsOf = (url: string, n = 0) => keepAliveOptions(url, n).map((option) => option.split('='));

describe('the keep-alive of EventStoreDB’s clients', () => {
  it('is one of its own for each of a million', () => {
    const seen = new Set<string>();
    for (let n = 1; n <= 1_000_000; n += 1) seen.add(keepAliveOptions('esdb://node1', n).join());
    expect(seen.size).to.equal(1_000_000);
  });

  it('is what the connection string asks for and at most a second more, whichever way the options are written', () => {
    const url = 'esdb://me:a%3D@node1?keep_alive_interval=20000&tls=true&KeepAliveTimeout=5000';
    expect(optionsOf(url)).to.deep.equal([
      ['keepAliveInterval', '20000'],
      ['keepAliveTimeout', '5000'],
    ]);
    for (const [, ms] of optionsOf(url, 999_999)) expect(Number(ms)).to.be.oneOf([20_999, 5_999]);
  });

  for (const never of [-1, 0, 2_000_000_000])
    it(`is for no timer that runs out at once where the interval is ${never}`, () => {
      for (const n of [0, 999_999]) {
        const [[, ms] = []] = optionsOf(`esdb://node1?keepAliveInterval=${never}`, n);
        expect(Number(ms)).to.be.within(2_000_000_000, MAX_TIMER_MS);
      }
    });
});
