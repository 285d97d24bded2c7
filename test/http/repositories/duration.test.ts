import { expect } from 'chai';
import { durationText, parseDuration } from '../../../src/http/repositories/duration.js';

describe('durations', () => {
  it('are read as Go writes them, and written so', () => {
    expect(['8h0m0s', '90m', '1.5h', '0', '0s', '59.9s'].map(parseDuration)).to.deep.equal([
      28_800, 5_400, 5_400, 0, 0, 59,
    ]);
    const small = [
      '600000ms',
      '1m30s500ms',
      '1000000us',
      '1000000\u00b5s',
      '1000000\u03bcs',
      '600000000000ns',
    ];
    expect(small.map(parseDuration)).to.deep.equal([600, 90, 1, 1, 1, 600]);
    expect([28_800, 90, 0].map(durationText)).to.deep.equal(['8h0m0s', '1m30s', '0s']);
  });

  it('are no other text', () => {
    expect(['', '8', 'h', '8 h', '-8h', '1d', '８h'].map(parseDuration).filter(Boolean)).to.deep.equal([]);
  });

  it('are no text that would take long to add up', () => {
    expect(parseDuration('1s'.repeat(51))).to.equal(undefined);
  });
});
