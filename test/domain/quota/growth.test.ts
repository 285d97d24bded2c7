import { expect } from 'chai';
import type { QuotaGroup } from '../../../src/domain/quota/evaluation.js';
import { growthPerDay, limitsReached, type UsageChange } from '../../../src/domain/quota/growth.js';

const START = '2026-01-01T00:00:00.000Z';
const change = (before: bigint, now: bigint, days: number): UsageChange => ({
  before: { 'size:repos:public': before },
  beforeAt: new Date(START),
  now: { 'size:repos:public': now },
  nowAt: new Date(Date.parse(START) + days * 86_400_000),
});
const limited = (limit: bigint): readonly QuotaGroup[] => [
  { name: 'small', rules: [{ name: 'few', limit, subjects: ['size:all'] }] },
];
const reachedAt = (limit: bigint, of: UsageChange) => {
  const [reached] = limitsReached(limited(limit), of);
  return reached?.at?.toISOString() ?? null;
};

describe('the growth of what an account stores', () => {
  it('is bytes a day under the subjects that are asked for', () => {
    expect(growthPerDay(['size:all'], change(100n, 400n, 3))).to.equal(100);
    expect(growthPerDay(['size:git:lfs'], change(100n, 400n, 3))).to.equal(0);
    expect(growthPerDay(['size:all'], change(100n, 400n, 0.5))).to.equal(600);
  });
  it('is less than nothing where it shrinks, and nothing where no time has passed', () => {
    expect(growthPerDay(['size:all'], change(400n, 100n, 3))).to.equal(-100);
    expect(growthPerDay(['size:all'], change(0n, 100n, 0))).to.equal(0);
  });
  it('reaches a limit on the day that the present rate gives', () => {
    expect(reachedAt(600n, change(100n, 400n, 3))).to.equal('2026-01-06T00:00:00.000Z');
    expect(reachedAt(4n, change(0n, 3n, 3))).to.equal('2026-01-05T00:00:00.000Z');
  });
  it('never reaches a limit where it stands still, shrinks, or takes more than a century', () => {
    expect(reachedAt(600n, change(400n, 400n, 3))).to.equal(null);
    expect(reachedAt(600n, change(400n, 100n, 3))).to.equal(null);
    expect(reachedAt(10_000_000n, change(0n, 3n, 3))).to.equal(null);
  });
  it('has reached a limit that is full, or more than full, whether it grows or not', () => {
    expect(reachedAt(400n, change(100n, 400n, 3))).to.equal('2026-01-04T00:00:00.000Z');
    expect(reachedAt(400n, change(400n, 400n, 3))).to.equal('2026-01-04T00:00:00.000Z');
    expect(reachedAt(300n, change(100n, 400n, 3))).to.equal('2026-01-04T00:00:00.000Z');
  });
  it('has reached a limit of nothing once there is a byte, and does not expect one where nothing grows', () => {
    expect(reachedAt(0n, change(0n, 1n, 3))).to.equal('2026-01-04T00:00:00.000Z');
    expect(reachedAt(0n, change(0n, 0n, 3))).to.equal(null);
    expect(reachedAt(0n, change(3n, 0n, 3))).to.equal(null);
  });
  it('knows no date where there is no limit', () =>
    expect(limitsReached(limited(-1n), change(100n, 400n, 3))).to.deep.equal([]));
});
