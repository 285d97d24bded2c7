import { expect } from 'chai';
import { positionOf } from '../../src/audit/position-of.js';
import { UsageError } from '../../src/program.js';
import { rejection } from '../support/rejection.js';

describe('the moment of an audit', () => {
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
  it('is now where it is not said, or yet to come', async () => {
    expect(await positionOf(undefined, log)).to.equal(12n);
    expect(await positionOf('13', log)).to.equal(12n);
  });
  for (const moment of ['yesterday', '2026-01-01', '2026-01-01T00:00:00', '0000-01-01T00:00:00Z', '-1', ''])
    it(`is not ${moment || 'empty'}`, async () => {
      expect(await rejection(positionOf(moment, log))).to.be.instanceOf(UsageError);
    });
});
