import { expect } from 'chai';
import { sizeOf } from '../../bench/world/size.js';
import { versionOf } from '../../bench/world/worlds.js';
import { issues } from '../../projections/issues/issues.js';

describe('the version of a world', () => {
  const size = sizeOf('large', true);

  it('changes with that of a projection, and with the size', async () => {
    const versions = [
      await versionOf(size, [issues]),
      await versionOf(size, [{ ...issues, version: issues.version + 1 }]),
      await versionOf(sizeOf('large', false), [issues]),
    ];
    expect(new Set(versions)).to.have.property('size', 3);
    expect(await versionOf(size, [issues])).to.equal(versions[0]);
  });
});
