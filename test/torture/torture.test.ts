import { expect } from 'chai';
import { faultsOf, ALWAYS } from './plan/faults.js';
import { stepsOf } from './plan/steps.js';
import { reportText } from './report.js';
import { torture } from './torture.js';

const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** The first of what a generator gives. */
function first<T>(count: number, items: Iterator<T>): T[] {
  return Array.from({ length: count }, () => items.next().value as T);
}

describe('torture', function () {
  this.timeout(900_000);

  it('plans the same steps and the same faults for the same seed', () => {
    expect(first(50, stepsOf(seed, 3))).to.deep.equal(first(50, stepsOf(seed, 3)));
    expect(first(50, stepsOf(seed, 3))).to.not.deep.equal(first(50, stepsOf(seed, 4)));
    expect(first(50, faultsOf(seed, ALWAYS, 1_000))).to.deep.equal(first(50, faultsOf(seed, ALWAYS, 1_000)));
  });

  it(`for some seconds loses nothing and doubles nothing (TORTURE_SEED=${seed})`, async () => {
    const lines: string[] = [];
    const report = await torture({
      seed,
      seconds: 12,
      clients: 6,
      store: 'postgresql',
      longestFaultMs: 800,
      keep: false,
      tell: (line) => lines.push(line),
    });
    expect(report.violations, `${lines.join('\n')}\n${reportText(report)}`).to.deep.equal([]);
    expect(report.tally.acknowledged).to.be.greaterThan(0);
  });
});
