import { expect } from 'chai';
import { ALWAYS, faultsOf, OF_DISK, OF_EVENT_STORE } from './plan/faults.js';
import { stepsOf } from './plan/steps.js';
import { reportText, type Report } from './report.js';
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

  it('plans each kind of fault soon', () => {
    const possible = [...ALWAYS, ...OF_DISK, ...OF_EVENT_STORE];
    const planned = first(50, faultsOf(seed, possible, 1_000)).map(({ kind }) => kind);
    expect([...new Set(planned)]).to.have.members(possible);
  });

  it('tells its seed, and what each kind of fault came to', () => {
    const survived: Report['survived'] = [
      { fault: { kind: 'kill api', after: 1, lasts: 1 }, recoveredAfter: 1_000 },
      { fault: { kind: 'pause postgres', after: 1, lasts: 1 }, recoveredAfter: 200 },
      { fault: { kind: 'kill api', after: 1, lasts: 1 }, recoveredAfter: 2_000 },
    ];
    const tally = { acknowledged: 5, refused: 1, failed: 0, internal: 0, lost: 2 };
    const run = { seed: 7, clients: 3, store: 'postgresql', seconds: 60, tally, deliveriesOwed: 4 };
    const [seedLine, ...rest] = reportText({
      ...run,
      survived,
      skipped: ['fill disk: not here'],
      violations: [],
    }).split('\n');
    expect(seedLine).to.equal('seed 7: 3 clients for 60 s, log in postgresql');
    expect(rest.slice(3).map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['fault', 'times', 'ready after', 'at most'],
      ['kill api', '2', '1.5 s', '2.0 s'],
      ['pause postgres', '1', '0.2 s', '0.2 s'],
      ['skipped: fill disk: not here'],
      [''],
      ['nothing was lost, nothing doubled'],
    ]);
    const lost = reportText({ ...run, survived, skipped: [], violations: ['c1: a branch is gone'] });
    expect(lost).to.match(/\n1 violations:\n- c1: a branch is gone$/);
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
    expect(report.survived).not.to.be.empty;
  });
});
