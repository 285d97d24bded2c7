import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.js';
import { decideMirroring } from '../../../src/domain/repositories/mirroring.js';

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

  it('records nothing of what is no mirror', () => {
    expect(() => decideMirroring({ type: 'RecordPull', data: { at } }, { mirror: null })).throws(DomainError);
  });
});
