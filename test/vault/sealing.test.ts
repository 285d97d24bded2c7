import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { open, seal } from '../../src/vault/sealing.js';

describe('sealing', () => {
  const key = randomBytes(32);

  it('opens to what was sealed', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, purpose) => {
        const plaintext = Buffer.from(bytes);
        expect(open(key, seal(key, plaintext, purpose), purpose).equals(plaintext)).to.equal(true);
      }),
    );
  });
  it('never seals the same twice', () => {
    expect(seal(key, 'x', 'p').equals(seal(key, 'x', 'p'))).to.equal(false);
  });
  it('opens for nobody with another key or purpose', () => {
    const sealed = seal(key, 'x', 'p');
    expect(() => open(randomBytes(32), sealed, 'p')).to.throw();
    expect(() => open(key, sealed, 'q')).to.throw();
  });
  it('does not open when a bit has changed or a byte is missing', () => {
    const sealed = seal(key, 'x', 'p');
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(sealed.readUInt8(at) ^ 1, at);
      expect(() => open(key, changed, 'p')).to.throw();
      expect(() => open(key, sealed.subarray(0, at), 'p')).to.throw();
    }
  });
});
