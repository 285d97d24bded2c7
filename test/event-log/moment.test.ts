import { expect } from 'chai';
import { isMoment, positionOf } from '../../src/event-log/moment.js';

describe('a moment in the log', () => {
  const asked: Date[] = [];
  const log = {
    lastPosition: () => Promise.resolve(12n),
    positionAt: (time: Date) => Promise.resolve(BigInt(asked.push(time) + 6)),
  };

  it('is a position, or a time with its offset', async () => {
    expect(await positionOf('5', log)).to.equal(5n);
    expect(await positionOf('2026-01-01T02:00:00+02:00', log)).to.equal(7n);
    expect(asked).to.deep.equal([new Date('2026-01-01T00:00:00Z')]);
  });
  it('is now where it is yet to come', async () => {
    expect(await positionOf('13', log)).to.equal(12n);
    expect(await positionOf(String(2n ** 63n - 1n), log)).to.equal(12n);
  });
  for (const moment of ['0', String(2n ** 63n - 1n), '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
    it(`is ${moment}`, () => {
      expect(isMoment(moment)).to.equal(true);
    });
  for (const moment of [
    'yesterday',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    String(2n ** 63n),
    '-1',
    '',
  ])
    it(`is not ${moment || 'empty'}`, () => {
      expect(isMoment(moment)).to.equal(false);
    });
});
