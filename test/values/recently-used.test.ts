import { expect } from 'chai';
import { recentlyUsed } from '../../src/values/recently-used.js';

describe('a cache of what was used last', () => {
  it('keeps as many entries as it may, and tells of each that it drops', () => {
    const dropped: [string, string][] = [];
    const cache = recentlyUsed<string, number>(2, {
      dispose: (_, key, reason) => dropped.push([key, reason]),
    });
    cache.set('a', 1).set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([...cache.keys()].toSorted()).to.deep.equal(['a', 'c']);
    expect(dropped).to.deep.equal([['b', 'evict']]);
  });

  it('keeps an entry for as long as it is told', async () => {
    const cache = recentlyUsed<string, number>(2, { ttl: 1 });
    cache.set('a', 1);
    while (cache.get('a') !== undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  });
});
