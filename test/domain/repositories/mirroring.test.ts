import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.js';
import { decideMirroring, isPullDue } from '../../../src/domain/repositories/mirroring.js';

const at = '2026-01-01T00:00:00Z';
const mirror = { intervalSeconds: 600, prune: true };

describe('mirroring', () => {
  it('records a pull, and one that failed', () => {
    expect(decideMirroring({ type: 'RecordPull', data: { at } }, { mirror })).deep.equals([
      { type: 'MirrorPulled', data: { pulledAt: at } },
    ]);
    const failure = 'mirror.unreachable';
    expect(decideMirroring({ type: 'RecordPull', data: { failure, at } }, { mirror })).deep.equals([
      { type: 'MirrorPullFailed', data: { reason: failure, failedAt: at } },
    ]);
  });

  it('is due an interval after it was last tried, and where that is an hour from now', () => {
    const due = (now: string, triedAt: string | undefined = at) =>
      isPullDue({ mirror, triedAt }, new Date(now));
    expect(due('2026-01-01T00:09:59Z')).equals(false);
    expect(due('2026-01-01T00:10:00Z')).equals(true);
    expect(due('2025-12-31T23:01:00Z')).equals(false);
    expect(due('2025-12-31T22:59:00Z'), 'by a clock that was ahead').equals(true);
    expect(isPullDue({ mirror, triedAt: undefined }, new Date(at))).equals(true);
    const byHand = { mirror: { ...mirror, intervalSeconds: 0 }, triedAt: undefined };
    expect(isPullDue(byHand, new Date(at))).equals(false);
  });

  it('records nothing of what is no mirror', () => {
    expect(() => decideMirroring({ type: 'RecordPull', data: { at } }, { mirror: null })).throws(DomainError);
  });
});
