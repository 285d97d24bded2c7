import { createHash, verify } from 'node:crypto';
import sshpk from 'sshpk';
import { WireReader } from '../commands/accounts/wire-reader.js';

/** A signature made by `ssh-keygen -Y sign` (PROTOCOL.sshsig of OpenSSH): parsed, but not verified yet. */
export interface SshSignature {
  /** The fingerprint of the key in the signature: `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
  /** Tells whether that key signed these bytes, as git signs; a text is encoded as UTF-8. */
  readonly covers: (signed: string | Buffer) => boolean;
}

const MAGIC = Buffer.from('SSHSIG');
const VERSION = 1;
/** The namespace of git's signatures; a signature by the same key for another purpose does not count. */
const NAMESPACE = 'git';
const ARMOR = /^-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*$/;

type Check = (key: Buffer, message: Buffer, value: Buffer) => boolean;

const digestOf = (hash: string, bytes: Buffer | string) => createHash(hash).update(bytes).digest();

const publicKey = (key: Buffer) => sshpk.parseKey(key, 'rfc4253').toString('pkcs8');

const rsa =
  (hash: string): Check =>
  (key, message, value) =>
    verify(hash, message, publicKey(key), value);

/** The value consists of two integers, each padded to the length of the curve's. */
const ecdsa =
  (hash: string, bytes: number): Check =>
  (key, message, value) => {
    const numbers = new WireReader(value).rest().map((number) => {
      const digits = number[0] === 0 ? number.subarray(1) : number;
      return Buffer.concat([Buffer.alloc(bytes - digits.length), digits]);
    });
    const signature = Buffer.concat(numbers);
    return verify(hash, message, { key: publicKey(key), dsaEncoding: 'ieee-p1363' }, signature);
  };

/** Verifiers by the types of key and signature. RSA with SHA-1 and types not listed are not accepted. */
const checks: Readonly<Record<string, Check>> = {
  'ssh-ed25519 ssh-ed25519': (key, message, value) => verify(null, message, publicKey(key), value),
  'ssh-rsa rsa-sha2-256': rsa('sha256'),
  'ssh-rsa rsa-sha2-512': rsa('sha512'),
  'ecdsa-sha2-nistp256 ecdsa-sha2-nistp256': ecdsa('sha256', 32),
  'ecdsa-sha2-nistp384 ecdsa-sha2-nistp384': ecdsa('sha384', 48),
  'ecdsa-sha2-nistp521 ecdsa-sha2-nistp521': ecdsa('sha512', 66),
};

/** Parses an armoured signature; returns undefined for any other text, including signatures of other programs. */
export function readSshSignature(armored: string): SshSignature | undefined {
  const [, base64] = ARMOR.exec(armored) ?? [];
  if (base64 === undefined) return undefined;
  try {
    return read(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function read(bytes: Buffer): SshSignature | undefined {
  const start = MAGIC.length + 4;
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC) || bytes.readUInt32BE(MAGIC.length) !== VERSION)
    return undefined;
  const [key, namespace, reserved, hash, value] = new WireReader(bytes.subarray(start)).rest();
  if (!key || !namespace || !reserved || !hash || !value) return undefined;
  const [algorithm, made] = new WireReader(value).rest();
  const types = `${new WireReader(key).string().toString('latin1')} ${algorithm?.toString('latin1') ?? ''}`;
  const hashName = hash.toString('latin1');
  return {
    fingerprint: `SHA256:${digestOf('sha256', key).toString('base64').replace(/=+$/, '')}`,
    covers(signed) {
      const check = Object.hasOwn(checks, types) ? checks[types] : undefined;
      if (!check || !made || namespace.toString('latin1') !== NAMESPACE) return false;
      if (hashName !== 'sha256' && hashName !== 'sha512') return false;
      const parts = [namespace, reserved, hash, digestOf(hashName, signed)];
      return isTrue(() => check(key, Buffer.concat([MAGIC, ...parts.flatMap(onWire)]), made));
    },
  };
}

const onWire = (part: Buffer): Buffer[] => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return [length, part];
};

/** Returns the result of a check; false if it throws, as it does in many ways for malformed keys and values. */
function isTrue(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
