import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import sshpk from 'sshpk';

/** A key that somebody signs with, as a line of OpenSSH, and what only they have of it. */
export interface SigningKey {
  readonly key: string;
  readonly privateKey: KeyObject;
}

/** A new Ed25519 key, as a line of OpenSSH. */
export function newKey(comment = ''): string {
  return newSigningKey(comment).key;
}

/** As `newKey`, with its private half. */
export function newSigningKey(comment = ''): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const [type, base64] = sshpk.parseKey(pem, 'pem').toString('ssh').split(' ');
  return { key: [type, base64, ...(comment === '' ? [] : [comment])].join(' '), privateKey };
}

/** One part of a key as SSH writes it: its length in four bytes, then its bytes. */
export function wirePart(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
