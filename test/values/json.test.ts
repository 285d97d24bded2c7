import { expect } from 'chai';
import { parseJson } from '../../src/values/json.js';

describe('JSON that is read', () => {
  it('has integers as they are written, and no fraction that would become one', () => {
    for (const [text, value] of [
      ['9007199254740993', 9_007_199_254_740_993n],
      ['9007199254740991.4', NaN],
      ['-9007199254740991.4', NaN],
      ['9007199254740991.0', 9_007_199_254_740_991],
      ['1.2345678901234567', 1.2345678901234567],
      ['1.2345678901234567e100', 1.2345678901234567e100],
    ] as const)
      expect(parseJson(text), text).to.deep.equal(value);
  });
});
