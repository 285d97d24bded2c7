import { expect } from 'chai';
import { parsePublicKey } from '../../src/commands/accounts/parse-public-key.js';
import { readSshSignature } from '../../src/signatures/ssh-signature.js';
import { FOR_FILES, PAYLOAD, vectors } from './vectors.js';

describe('SSH signatures', () => {
  const [first] = vectors;

  for (const { type, key, signature } of vectors)
    it(`of ${type} cover what was signed and nothing else, and name their key`, () => {
      const read = readSshSignature(signature);
      expect(read?.fingerprint).to.equal(parsePublicKey(key).fingerprint);
      expect(read?.covers(PAYLOAD)).to.equal(true);
      expect(read?.covers(`${PAYLOAD} `)).to.equal(false);
      expect(read?.covers('')).to.equal(false);
    });

  it('for anything but git cover nothing', () => {
    expect(readSshSignature(FOR_FILES)?.covers(PAYLOAD)).to.equal(false);
  });

  it('with a bit changed cover nothing, or are none', () => {
    const bytes = Buffer.from((first?.signature ?? '').split('\n').slice(1, -2).join(''), 'base64');
    expect(bytes.length).to.be.greaterThan(100);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const text = `-----BEGIN SSH SIGNATURE-----\n${changed.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
      expect(readSshSignature(text)?.covers(PAYLOAD) ?? false, `byte ${at}`).to.equal(false);
    }
  });

  it('cut off anywhere are none', () => {
    const bytes = Buffer.from((first?.signature ?? '').split('\n').slice(1, -2).join(''), 'base64');
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length).toString('base64');
      const text = `-----BEGIN SSH SIGNATURE-----\n${cut}\n-----END SSH SIGNATURE-----\n`;
      expect(readSshSignature(text)?.covers(PAYLOAD) ?? false, `${length} bytes`).to.equal(false);
    }
  });

  it('are not what other programs sign', () => {
    for (const text of ['', 'x', '-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----\n'])
      expect(readSshSignature(text)).to.equal(undefined);
  });
});
