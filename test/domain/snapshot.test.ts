import { expect } from 'chai';
import fc from 'fast-check';
import { is, Map, OrderedMap, OrderedSet, Set } from 'immutable';
import { snapshotForm, type Plain } from '../../src/domain/snapshot.js';

/** Written as text and read back. */
function kept<State extends object>(state: State): State {
  const form = snapshotForm<State>(1);
  return form.read(JSON.parse(JSON.stringify(form.write(state))) as Plain);
}

describe('a snapshot', () => {
  it('gives back what was written, to the last digit', () => {
    const plain = fc.dictionary(
      fc.string().filter((name) => !name.startsWith('$') && name !== '__proto__'),
      fc.oneof(
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.boolean(),
        fc.bigInt(),
        fc.constant(null),
        fc.constant(undefined),
        fc.array(fc.bigInt()),
      ),
    );
    fc.assert(
      fc.property(plain, (state) => {
        expect(kept({ ...state })).to.deep.equal({ ...state });
      }),
    );
  });

  it('gives back maps and sets with their keys, however they are nested', () => {
    const sets = fc.array(fc.integer()).map((ids) => Set(ids));
    const maps = fc.array(fc.tuple(fc.oneof(fc.string(), fc.integer()), sets)).map((entries) => Map(entries));
    fc.assert(
      fc.property(maps, (map) => {
        expect(is(kept({ map }).map, map)).to.equal(true);
      }),
    );
  });

  it('refuses what it could not give back', () => {
    for (const value of [
      new Date(0),
      OrderedMap(),
      OrderedSet(),
      NaN,
      { $map: [] },
      new globalThis.Map(),
      () => 1,
    ])
      expect(() => kept({ value })).to.throw(TypeError);
  });
});
