import { createHash, createPublicKey } from 'node:crypto';
import sshpk from 'sshpk';
import { invalid } from '../../domain/errors.js';
import { withoutEnd } from '../../values/without-end.js';
import { WireReader } from './wire-reader.js';

/** A public key that passed the checks, in one form regardless of the format it was given in. */
export interface PublicKey {
  /** The first word of the line, such as `ssh-ed25519`. */
  readonly algorithm: string;
  /** `SHA256:` and base64 without padding. */
  readonly fingerprint: string;
  /** One line: algorithm, base64, and the comment where there is one. */
  readonly line: string;
}

const MAX_CHARACTERS = 16_384;
const MIN_RSA_BITS = 3071;
const MAX_RSA_BITS = 16_384;

/** The allowed types, and how each is checked; a check throws if the blob is not a key of the type. */
const allowed: Readonly<Record<string, (blob: Buffer) => void>> = {
  'ssh-rsa': checkRsa,
  'ecdsa-sha2-nistp256': checkBySshpk,
  'ecdsa-sha2-nistp384': checkBySshpk,
  'ecdsa-sha2-nistp521': checkBySshpk,
  'ssh-ed25519': checkBySshpk,
  'sk-ssh-ed25519@openssh.com': checkSecurityKey,
  'sk-ecdsa-sha2-nistp256@openssh.com': checkSecurityKey,
};

/**
 * Parses a text that holds one public key: a line as OpenSSH writes it, RFC 4716, or PEM. Refuses as `invalid`, with the
 * reason, anything else, a private key, a weak key, and types other than RSA, ECDSA, Ed25519 and their variants for
 * security keys.
 */
export function parsePublicKey(text: string): PublicKey {
  const trimmed = text.trim();
  if (trimmed === '') throw refused('missing', 'Required');
  if (trimmed.length > MAX_CHARACTERS) throw refused('too_long', `at most ${MAX_CHARACTERS} characters`);
  if (trimmed.includes('PRIVATE KEY'))
    throw refused('private', 'is a private key, which nobody else should ever see');
  const { blob, comment, named } = readText(trimmed);
  const algorithm = algorithmOf(blob);
  if (named !== undefined && named !== algorithm)
    throw refused('mismatch', `says ${named}, but is ${algorithm}`);
  const check = Object.hasOwn(allowed, algorithm) ? allowed[algorithm] : undefined;
  if (!check) throw refused('type', `keys of the type ${algorithm} are not allowed`);
  check(blob);
  const hash = createHash('sha256').update(blob).digest('base64');
  return {
    algorithm,
    fingerprint: `SHA256:${hash.replace(/=+$/, '')}`,
    line: [algorithm, blob.toString('base64'), ...(comment === '' ? [] : [comment])].join(' '),
  };
}

interface Read {
  readonly blob: Buffer;
  readonly comment: string;
  /** The type that the text names in front of the key, if it does. */
  readonly named?: string;
}

function readText(text: string): Read {
  if (text.startsWith('---- BEGIN SSH2 PUBLIC KEY ----')) return readRfc4716(text);
  if (text.startsWith('-----BEGIN')) return readPem(text);
  if (/[\r\n\u2028\u2029]/.test(text)) throw refused('lines', 'must be one key on one line');
  const [, named = '', encoded = '', comment = ''] = /^(\S+)[ \t]+(\S+)(?:[ \t]+(.*))?$/.exec(text) ?? [];
  return { blob: decode(encoded), comment, named };
}

/** Reads headers, which a backslash continues on the next line, and then base64. */
function readRfc4716(text: string): Read {
  const [, body] =
    /^---- BEGIN SSH2 PUBLIC KEY ----\r?\n([^]*?)\r?\n---- END SSH2 PUBLIC KEY ----$/.exec(text) ?? [];
  if (body === undefined) throw malformed();
  const lines = body.replace(/\\\r?\n/g, '').split(/\r\n|[\r\n\u2028\u2029]/);
  const comment = lines.map((line) => /^comment:\s*"?(.*?)"?$/i.exec(line)?.[1]).find(Boolean);
  return { blob: decode(lines.filter((line) => !line.includes(':')).join('')), comment: comment ?? '' };
}

function readPem(text: string): Read {
  if (text.split('-----BEGIN').length > 2) throw refused('lines', 'must be one key');
  return { blob: orMalformed(() => sshpk.parseKey(text, 'pem').toBuffer('rfc4253')), comment: '' };
}

function decode(encoded: string): Buffer {
  const blob = Buffer.from(encoded, 'base64');
  if (encoded === '' || withoutEnd(blob.toString('base64'), '=') !== withoutEnd(encoded, '='))
    throw malformed();
  return blob;
}

const algorithmOf = (blob: Buffer) => orMalformed(() => new WireReader(blob).string().toString('latin1'));

/**
 * Checks that the blob is the same when it is parsed and written again, so that nothing is left over and no number has
 * another form. Then OpenSSL checks that a point is on its curve.
 */
function checkBySshpk(blob: Buffer): sshpk.Key {
  return orMalformed(() => {
    const key = sshpk.parseKey(blob, 'rfc4253');
    if (!key.toBuffer('rfc4253').equals(blob)) throw malformed();
    createPublicKey(key.toString('pkcs8'));
    return key;
  });
}

function checkRsa(blob: Buffer): void {
  const { size } = checkBySshpk(blob);
  if (size < MIN_RSA_BITS)
    throw refused('weak', `RSA keys have at least ${MIN_RSA_BITS} bits, this one ${size}`);
  if (size > MAX_RSA_BITS) throw refused('too_long', `RSA keys have at most ${MAX_RSA_BITS} bits`);
  const [, exponent = NOTHING, modulus = NOTHING] = new WireReader(blob).rest();
  // Under other numbers nothing can be signed, or, where the exponent is 1, everybody can sign.
  if (!isOdd(exponent) || !isOdd(modulus) || exponent.equals(ONE)) throw malformed();
}

const NOTHING = Buffer.alloc(0);
const ONE = Buffer.of(1);
const isOdd = (number: Buffer) => ((number.at(-1) ?? 0) & 1) === 1;

/** Checks a security key: a key of the type without `sk-`, which sshpk can parse, followed by the name of an application. */
function checkSecurityKey(blob: Buffer): void {
  const parts = orMalformed(() => new WireReader(blob).rest());
  const [type = Buffer.alloc(0), ...inner] = parts.slice(0, -1);
  const application = parts.at(-1)?.toString('latin1') ?? '';
  if (!application.startsWith('ssh:')) throw malformed();
  const plain = Buffer.from(type.toString('latin1').replace(/^sk-(.*)@openssh\.com$/, '$1'), 'latin1');
  checkBySshpk(Buffer.concat([plain, ...inner].map(prefixed)));
}

const prefixed = (part: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return Buffer.concat([length, part]);
};

function orMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw malformed();
  }
}

const refused = (code: string, message: string) => invalid(`public_key.${code}`, 'Key', message);
const malformed = () => refused('malformed', 'is not a public key');
