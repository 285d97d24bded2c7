import { generateKeyPairSync } from 'node:crypto';
import sshpk from 'sshpk';

/** A new Ed25519 key, as a line of OpenSSH. */
export function newKey(comment = ''): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const [type, base64] = sshpk.parseKey(pem, 'pem').toString('ssh').split(' ');
  return [type, base64, ...(comment === '' ? [] : [comment])].join(' ');
}

/** One part of a key as SSH writes it: its length in four bytes, then its bytes. */
export function wirePart(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
