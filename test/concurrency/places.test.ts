import { expect } from 'chai';
import { Places } from '../../src/concurrency/places.js';

describe('places', () => {
  it('are refused to a client that has its own, and to everybody once all are taken', () => {
    const places = new Places({ inAll: 3, ofOneClient: 2 });
    const taken = ['ann', 'ann', 'ann', 'ben', 'cleo'].map((client) => places.take(client));
    expect(taken.map(Boolean)).to.deep.equal([true, true, false, true, false]);
  });

  it('are free once they are given back, however often that is done', () => {
    const places = new Places({ inAll: 2, ofOneClient: 1 });
    const giveBack = places.take('ann');
    places.take('ben');
    giveBack?.();
    giveBack?.();
    expect(places.take('ann')).to.be.a('function');
    expect(places.take('cleo')).to.equal(undefined);
  });
});
