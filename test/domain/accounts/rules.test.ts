import { expect } from 'chai';
import { DomainError } from '../../../src/domain/errors.js';
import { checkEmail, emailKey } from '../../../src/domain/accounts/email.js';
import { accountNameKey, checkAccountName } from '../../../src/domain/accounts/names.js';
import { checkPassword, type PasswordKind } from '../../../src/domain/accounts/password.js';

const refusal = (check: () => void): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

describe('the name of an account', () => {
  const judge = (name: string) => refusal(() => checkAccountName(name));

  it('is letters and digits with single - _ . between them', () => {
    for (const name of ['a', '7', 'Alice', 'a-b_c.d', '0x', 'x'.repeat(40)])
      expect(judge(name), name).to.equal(undefined);
    for (const name of ['-a', 'a-', '_a', 'a.', 'a--b', 'a._b', 'a b', 'a/b', 'ä', 'a\n', 'а'])
      expect(judge(name), name).to.equal('account.name_invalid');
  });
  it('has 1 to 40 characters', () => {
    expect(judge('')).to.equal('account.name_missing');
    expect(judge('x'.repeat(41))).to.equal('account.name_too_long');
  });
  it('is not reserved, in any letter case', () => {
    for (const name of ['api', 'API', 'Ghost', 'favicon.ico', 'swagger.v1.json', 'alice.keys', 'Alice.PNG'])
      expect(judge(name), name).to.equal('account.name_reserved');
    for (const name of ['apis', 'keys', 'alice.keys2', 'root']) expect(judge(name), name).to.equal(undefined);
  });
  it('is the same in every letter case', () => {
    expect(accountNameKey('Alice')).to.equal(accountNameKey('aLICE'));
  });
});

describe('an e-mail address', () => {
  const judge = (email: string) => refusal(() => checkEmail(email));
  const atEnd = (length: number) => `a@${'b'.repeat(length - 2 - 2)}.c`;

  it('is a local part of ASCII atoms, one @, and a host of labels', () => {
    for (const email of [
      'a@b.c',
      "o'hara+x@sub.example.org",
      'root@localhost',
      'root@192.168.0.1',
      `a@${'b'.repeat(63)}.c`,
    ])
      expect(judge(email), email).to.equal(undefined);
    for (const email of [
      'a',
      '@b.c',
      'a@',
      'a@b@c',
      '-a@b.c',
      '.a@b.c',
      'a.@b.c',
      'a..b@c.d',
      'ä@b.c',
      'a@b..c',
      'a@-b.c',
      'a@b-.c',
      'a@b.c.',
      'a@b_c.d',
      'a@[192.168.0.1]',
      'a@::1',
      'a@2001:db8::1',
      'a b@c.d',
      '"a"@b.c',
      'a@b.c\r\nBcc: d@e.f',
      'a@b.c\n',
      'Alice <a@b.c>',
      `a@${'b'.repeat(64)}.c`,
    ])
      expect(judge(email), email).to.equal('account.email_invalid');
  });
  it('has 1 to 254 characters', () => {
    expect(judge('')).to.equal('account.email_missing');
    expect(judge(atEnd(255))).to.equal('account.email_too_long');
    expect(judge(`a@${'b.'.repeat(125)}cc`)).to.equal(undefined);
  });
  it('is the same in every letter case', () => {
    expect(emailKey('A@B.c')).to.equal(emailKey('a@b.C'));
  });
});

describe('a password', () => {
  const judge = (password: string, ...complexity: PasswordKind[]) =>
    refusal(() => checkPassword(password, { minBytes: 8, complexity }));

  it('has at least the bytes asked for, counted as UTF-8', () => {
    expect(judge('1234567')).to.equal('account.password_too_short');
    expect(judge('12345678')).to.equal(undefined);
    expect(judge('ääää')).to.equal(undefined);
  });
  it('has 255 characters at most', () => {
    expect(judge('🦊'.repeat(255))).to.equal(undefined);
    expect(judge('x'.repeat(256))).to.equal('account.password_too_long');
  });
  it('must be there', () => {
    expect(judge('')).to.equal('account.password_missing');
  });
  it('has a character of each kind that is asked for', () => {
    expect(judge('abcdefgh')).to.equal(undefined);
    for (const [kind, has, lacks] of [
      ['lower', 'ABCDEFGh', 'ABC-1234'],
      ['upper', 'abcdefgH', 'abc-1234'],
      ['digit', 'abcdefg7', 'abc-ABCD'],
      ['spec', 'abcdefg~', 'abcABC123'],
      ['spec', 'abc defg', 'abcdefgä'],
    ] as const) {
      expect(judge(has, kind), has).to.equal(undefined);
      expect(judge(lacks, kind), lacks).to.equal('account.password_too_simple');
    }
    expect(judge('abcd-123', 'lower', 'digit', 'upper')).to.equal('account.password_too_simple');
    expect(judge('Abcd-123', 'lower', 'digit', 'upper', 'spec')).to.equal(undefined);
  });
});
