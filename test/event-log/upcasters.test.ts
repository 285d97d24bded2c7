import { expect } from 'chai';
import { BadUpcasters, UnknownEventShape, upcasting, type Upcaster } from '../../src/event-log/upcasters.js';

const types = {
  Renamed: { categories: ['thing'], version: 2 },
  Plain: { categories: ['thing'], version: 1 },
};
const lift = (from: string, to: string, change: Upcaster['lift'] = (data) => data): Upcaster => {
  const shape = (text: string) => {
    const [type = '', version] = text.split(' ');
    return { type, version: Number(version) };
  };
  return { from: shape(from), to: shape(to), lift: change };
};
const complete = [
  lift('Old 1', 'Old 2', (data) => ({ ...data, two: true })),
  lift('Old 2', 'Renamed 1', (data) => ({ ...data, renamed: true })),
  lift('Renamed 1', 'Renamed 2', ({ name, ...data }) => ({ ...data, title: name })),
];

describe('upcasters', () => {
  const refusal = (upcasters: readonly Upcaster[]) => () => upcasting(types, upcasters);

  it('lift an old shape step by step, to another type where it was renamed', () => {
    expect(upcasting(types, complete)({ type: 'Old', version: 1, data: { name: 'x' } })).to.deep.equal({
      type: 'Renamed',
      version: 2,
      data: { title: 'x', two: true, renamed: true },
    });
  });
  it('leave current shapes and unknown types alone', () => {
    const lifted = upcasting(types, complete);
    for (const event of [
      { type: 'Renamed', version: 2, data: {} },
      { type: 'Stranger', version: 7, data: {} },
    ])
      expect(lifted(event)).to.equal(event);
  });
  it('stop at a shape that only a later release knows', () => {
    expect(() => upcasting(types, complete)({ type: 'Plain', version: 2, data: {} })).to.throw(
      UnknownEventShape,
    );
  });
  it('are refused with a gap before the current version', () => {
    expect(refusal([])).to.throw(BadUpcasters, 'Renamed v1 has no upcaster');
  });
  it('are refused with two for one shape', () => {
    expect(refusal([...complete, lift('Old 1', 'Renamed 2')])).to.throw(BadUpcasters, 'Old v1 has two');
  });
  it('are refused in circles', () => {
    expect(refusal([...complete, lift('A 1', 'B 1'), lift('B 1', 'A 1')])).to.throw(
      BadUpcasters,
      'in circles',
    );
    expect(refusal([...complete, lift('A 1', 'A 1')])).to.throw(BadUpcasters, 'in circles');
  });
  it('are refused from a current shape', () => {
    expect(refusal([...complete, lift('Plain 1', 'Renamed 2')])).to.throw(
      BadUpcasters,
      'Plain v1 is current',
    );
  });
  it('are refused where they end short of a current shape', () => {
    expect(refusal([...complete, lift('A 1', 'A 2')])).to.throw(BadUpcasters, 'ends at A v2');
  });
});
