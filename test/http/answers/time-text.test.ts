import { expect } from 'chai';
import fc from 'fast-check';
import { timeText } from '../../../src/http/answers/time-text.js';

describe('A time as the API gives it', () => {
  it('is that of ISO 8601, to the second', () => {
    const time = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(time, (at) => {
        expect(timeText(at)).to.equal(at.toISOString().replace(/\.\d+/, ''));
      }),
    );
  });
});
