import { expect } from 'chai';
import fc from 'fast-check';
import { isLonger } from '../../src/domain/characters.js';

describe('the length of a text', () => {
  it('is counted in code points, whatever units they take', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '🐴', '\ud83d', '\udc34'), maxLength: 12 });
    fc.assert(
      fc.property(text, fc.nat(12), (text, most) => isLonger(text, most) === [...text].length > most),
    );
  });

  it('is not counted where it is far longer', () => {
    const text = Object.assign(Object.create(null) as string, { length: 21 }); // nothing to count
    expect(isLonger(text, 10)).to.equal(true);
  });
});
