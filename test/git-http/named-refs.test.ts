import { expect } from 'chai';
import { NamedRefs } from '../../src/git-http/named-refs.js';
import { FLUSH, packet } from '../../src/push/pkt-line.js';

describe('the refs that a push names', () => {
  const shallow = packet(`shallow ${'a'.repeat(40)}`);
  const refs = [packet('one\0atomic'), packet('two')];

  const countOf = (...pieces: readonly string[]): number => {
    const named = new NamedRefs();
    for (const piece of pieces) named.watch(Buffer.from(piece));
    return named.count;
  };

  it('are counted without the ends of a shallow history', () => {
    expect(countOf(`${shallow}${refs.join('')}${FLUSH}`)).to.equal(2);
  });

  it('are counted in pieces of any length', () => {
    expect(countOf(...`${shallow}${refs.join('')}${FLUSH}`)).to.equal(2);
  });

  it('end where the options and objects begin', () => {
    expect(countOf(`${refs.join('')}${FLUSH}${packet('option')}`, `${FLUSH}PACK`, packet('more'))).to.equal(
      2,
    );
  });

  it('end with what is no packet', () => {
    for (const none of ['junk', '0003'])
      expect(countOf(`${refs.join('')}${none}`, packet('more'))).to.equal(2);
  });
});
