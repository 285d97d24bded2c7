import { expect } from 'chai';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import sshpk from 'sshpk';
import { parsePublicKey } from '../../../src/commands/accounts/parse-public-key.js';
import { newKey, wirePart } from '../../support/public-keys.js';

// Made by OpenSSH, with the fingerprints that ssh-keygen -l tells.
const ed25519 = {
  type: 'ssh-ed25519',
  fingerprint: 'SHA256:8RImdU+Vf/BXIyp+axrSUX4zdGkbgG959TzOWyUmkuM',
  base64: 'AAAAC3NzaC1lZDI1NTE5AAAAIE415hFE+pprCc4Qu4ru8l5ZUyYBoYVquE7g9yeyyTgY',
};
const known = [
  ed25519,
  {
    type: 'ssh-rsa',
    fingerprint: 'SHA256:a6wAcMtbJhm49pcPC2XmRXmBX2GO0KiyTQZLvSqaYyI',
    base64:
      'AAAAB3NzaC1yc2EAAAADAQABAAABgQDGPhUarCdfFXsFrtmj6VleB+NR6ZnYvn0DxCTdK4dGcHnW5H8Tzog11tP9KpLf4iVLqcFCM44g1gh7hwRNFv3qF2nCNnOh2ntTkOsgrhDTCc3y0O8IfO/vNVUn5yqmBMqPtv6Eh4Q0MuBmIlL9yOKLNGL7cbPI+fKDmFccDbzd8a9LDXAqdH9MLy2VUdGwD8xYlc5Du0hDA6r6IIyeKIr/YPoSJf/oQp4Pz3QSv1Bz9QiJNCYZqjbkdsH8QFvhT158Ij+awcjqXwWnTy4qVxdPw/zRHKQSnjyYHuAkhBxM1lWag0y9dYA5IlzJmAp8AAfY3aX7Of7lyTDxxMOghacQCkqEci4vvTEFYIts/4jbMNJ/BOwFBjBRKV6a32xrAUL0c6AHchONlpe6hdujIsE9cJf8m/O885UeLc0kaPZDb15xgVQZ67uGriU5XhKtfbw2x8yULpQ8+gB4dPpJ8yxZMeL8I29FOAos5umjBFVNoJyCgc2yPkJfa4eeADPG04k=',
  },
  {
    type: 'ecdsa-sha2-nistp384',
    fingerprint: 'SHA256:JyXUDD+g5GKiZ2qZ0Cr+fF3rDiLD3iBdWMTXcOSpnTg',
    base64:
      'AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBMyAlcxUzoX6VXaL4JQGoiuTUrjHBaxxgcp10We+eK0kmzR5ZnHr0um5m9diG5kRv1ce6F+QpKg3d8qep65Aqa+ENomtL2JhQuOXiiX/cregt7pUbR6x2MBEQchdJC2qcw==',
  },
];

const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;
const lineOf = (blob: Buffer) =>
  `${blob.subarray(4, 4 + blob.readUInt32BE()).toString()} ${blob.toString('base64')}`;
const refusal = (text: string): string => {
  try {
    parsePublicKey(text);
    return 'none';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a public key', () => {
  for (const { type, base64, fingerprint } of known)
    it(`of the type ${type} has the fingerprint that OpenSSH tells`, () => {
      expect(parsePublicKey(`\n ${type} ${base64} me at home\n`)).to.deep.equal({
        algorithm: type,
        fingerprint,
        line: `${type} ${base64} me at home`,
      });
    });

  it('may come as RFC 4716, whose comment is kept', () => {
    const { base64, fingerprint } = ed25519;
    const text = [
      '---- BEGIN SSH2 PUBLIC KEY ----',
      'Comment: "from \\',
      'home"',
      'x-private: yes',
      base64.slice(0, 40),
      base64.slice(40),
      '---- END SSH2 PUBLIC KEY ----',
    ].join('\r\n');
    expect(parsePublicKey(text)).to.include({ fingerprint, line: `ssh-ed25519 ${base64} from home` });
  });

  it('may come as PEM', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(parsePublicKey(pemOf(publicKey))).to.include({ algorithm: 'ecdsa-sha2-nistp256' });
    expect(parsePublicKey(pemOf(publicKey)).line).to.match(/^ecdsa-sha2-nistp256 \S+$/);
  });

  it('may be of a security key', () => {
    const ed = Buffer.concat(['sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), 'ssh:'].map(wirePart));
    expect(parsePublicKey(lineOf(ed)).algorithm).to.equal('sk-ssh-ed25519@openssh.com');
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const blob = sshpk.parseKey(pemOf(publicKey), 'pem').toBuffer('rfc4253');
    const point = blob.subarray(blob.length - 65);
    const parts = ['sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', point, 'ssh:'];
    expect(parsePublicKey(lineOf(Buffer.concat(parts.map(wirePart)))).algorithm).to.equal(parts[0]);
    expect(refusal(lineOf(Buffer.concat(parts.slice(0, 3).map(wirePart))))).to.equal('public_key.malformed');
  });

  it('is refused when RSA is short', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(refusal(pemOf(publicKey))).to.equal('public_key.weak');
  });

  it('is refused when it is RSA of numbers that no such key has', () => {
    const modulus = (last: number) =>
      Buffer.concat([Buffer.from([0]), Buffer.alloc(383, 0xff), Buffer.from([last])]);
    const rsa = (exponent: number[], last = 0xff) =>
      refusal(lineOf(Buffer.concat(['ssh-rsa', Buffer.from(exponent), modulus(last)].map(wirePart))));
    expect(rsa([3])).to.equal('none');
    for (const exponent of [[], [1], [2], [1, 0, 0]])
      expect(rsa(exponent), exponent.join()).to.equal('public_key.malformed');
    expect(rsa([3], 0xfe)).to.equal('public_key.malformed');
  });

  it('is refused when it is of a type that is not allowed', () => {
    const dsa = Buffer.concat(['ssh-dss', 'p', 'q', 'g', 'y'].map(wirePart));
    expect(refusal(lineOf(dsa))).to.equal('public_key.type');
    const certificate = Buffer.concat(['ssh-ed25519-cert-v01@openssh.com', 'x'].map(wirePart));
    expect(refusal(lineOf(certificate))).to.equal('public_key.type');
    expect(refusal(lineOf(wirePart('constructor')))).to.equal('public_key.type');
  });

  it('is refused when it holds the end of a line that is none to most', () => {
    for (const end of ['\r', '\u2028', '\u2029'])
      expect(refusal(`ssh-ed25519 ${ed25519.base64} me${end}at home`)).to.equal('public_key.lines');
  });

  it('is refused when it is a private key', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    expect(refusal(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)).to.equal(
      'public_key.private',
    );
  });

  it('is refused when its first word is another type than it has', () => {
    expect(refusal(`ssh-rsa ${ed25519.base64}`)).to.equal('public_key.mismatch');
  });

  it('is refused when a point is not on its curve', () => {
    const blob = Buffer.from(known[2]?.base64 ?? '', 'base64');
    blob[blob.length - 1] = (blob.at(-1) ?? 0) ^ 1;
    expect(refusal(lineOf(blob))).to.equal('public_key.malformed');
  });

  it('is refused with bytes left over, missing, or numbers written otherwise', () => {
    const blob = Buffer.from(ed25519.base64, 'base64');
    for (const broken of [
      Buffer.concat([blob, Buffer.from([0])]),
      blob.subarray(0, -1),
      Buffer.concat(['ssh-rsa', Buffer.from([0, 0, 3]), Buffer.alloc(400, 3)].map(wirePart)),
    ])
      expect(refusal(lineOf(broken))).to.equal('public_key.malformed');
  });

  for (const [what, text, code] of [
    ['is not there', ' \n', 'missing'],
    ['is some word', 'hello', 'malformed'],
    ['is no base64', 'ssh-ed25519 AAAA*', 'malformed'],
    ['is too short to tell its type', 'ssh-ed25519 AAAA', 'malformed'],
    ['is two', `${newKey()}\n${newKey()}`, 'lines'],
    ['is enormous', `ssh-rsa ${'A'.repeat(20_000)}`, 'too_long'],
    ['is broken PEM', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'malformed'],
    ['is broken RFC 4716', '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', 'malformed'],
    ['has options in front', `command="x" ${newKey()}`, 'malformed'],
  ] as const)
    it(`is refused when it ${what}`, () => {
      expect(refusal(text)).to.equal(`public_key.${code}`);
    });
});
