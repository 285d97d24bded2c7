import { expect } from 'chai';
import { inParts } from '../../src/values/in-parts.js';

describe('items in parts', () => {
  it('are so many in each', () => {
    expect([...inParts([1, 2, 3, 4, 5], 2)]).to.deep.equal([[1, 2], [3, 4], [5]]);
    expect([...inParts([], 2)]).to.deep.equal([]);
  });

  it('are as many as weigh so much, the last of them however much it weighs', () => {
    const texts = ['aa', 'b', 'c', 'dddd', 'e'];
    const parts = [['aa', 'b'], ['c', 'dddd'], ['e']];
    expect([...inParts(texts, 3, ({ length }) => length)]).to.deep.equal(parts);
  });
});
