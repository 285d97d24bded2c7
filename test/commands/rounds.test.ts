import { expect } from 'chai';
import { roundsOf } from '../../src/commands/rounds.js';

describe('rounds', () => {
  it('are none for no items', () => {
    expect(roundsOf([], 2)).to.deep.equal([]);
  });

  it('have as many items as one append may hold, in order', () => {
    expect(roundsOf([1, 2, 3, 4, 5], 2)).to.deep.equal([[1, 2], [3, 4], [5]]);
  });

  it('hold half a megabyte together, as JSON', () => {
    const half = 'x'.repeat(262_142); // and its quotes
    expect(roundsOf([half, half, 'y'], 9)).to.deep.equal([[half, half], ['y']]);
    expect(roundsOf([half, `${half}x`, 'y'], 9)).to.deep.equal([[half], [`${half}x`, 'y']]);
  });

  it('have one item alone that is larger than that', () => {
    const large = 'x'.repeat(600_000);
    expect(roundsOf(['y', large, 'z'], 9)).to.deep.equal([['y'], [large], ['z']]);
  });
});
