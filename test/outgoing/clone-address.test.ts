import { expect } from 'chai';
import { DomainError } from '../../src/domain/errors.js';
import { parseCloneAddress, type GivenCredentials } from '../../src/outgoing/clone-address.js';

describe('clone addresses', () => {
  const refusalOf = (address: string) => {
    try {
      parseCloneAddress(address);
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
    return undefined;
  };

  it('takes http and https', () => {
    for (const url of ['https://example.org/a/b.git', 'http://example.org:8080/x', 'https://example.org/'])
      expect(parseCloneAddress(url)).deep.equals({ url });
    expect(parseCloneAddress('  HTTPS://Example.ORG/a ')).deep.equals({ url: 'https://example.org/a' });
  });

  it('takes as many as 2,048 characters', () => {
    const url = `https://example.org/${'a'.repeat(2028)}`;
    expect(url).lengthOf(2048);
    expect(refusalOf(url)).equals(undefined);
    expect(refusalOf(`${url}a`)).include('not a valid address');
  });

  const REFUSED: Readonly<Record<string, readonly string[]>> = {
    Required: ['', '  '],
    'only http and https': [
      ...['ssh://git@example.org/a', 'git@example.org:a/b.git', 'example.org:a', 'git://example.org/a'],
      ...[
        'ftp://example.org/a',
        'ext::sh -c x'.replaceAll(' ', '%20'),
        'http+ssh://example.org/a',
        'git+ssh://e.org/a',
      ],
    ],
    'file system': ['/etc/passwd', './x', '../x', '~/x', 'file:///etc', 'FILE:/etc', 'C:/x', 'c:x'],
    'must begin with': ['--upload-pack=touch', '-x', 'example.org/a/b'],
    'not a valid address': [
      ...[
        'https:example.org',
        'https://',
        'https://exa mple.org',
        'https://example.org/a\nb',
        'https://e.org/\u0000',
      ],
      ...[
        'http:\\\\example.org\\a',
        'https://[::1',
        'https://u:%ff@example.org/',
        `https://example.org/${'a'.repeat(3000)}`,
      ],
    ],
    'query or fragment': ['https://example.org/a?service=x', 'https://example.org/a#b'],
  };
  for (const [words, addresses] of Object.entries(REFUSED)) {
    it(`refuses with "${words}"`, () => {
      for (const address of addresses)
        expect(refusalOf(address), address).include(words).include('[CloneAddr]');
    });
  }

  it('says nothing of an address that it refuses', () => {
    for (const address of [
      'ssh://me:secret@example.org/a',
      'https://me:secret@example.org/?x',
      'https://me:secret@',
    ])
      expect(refusalOf(address)).not.include('secret');
  });

  describe('credentials', () => {
    const given = (address: string, credentials?: GivenCredentials) =>
      parseCloneAddress(address, credentials);
    const url = 'https://example.org/a';

    it('come out of the address, decoded', () => {
      expect(given('https://me:p%40ss%3Aword@example.org/a')).deep.equals({
        url,
        credentials: { username: 'me', password: 'p@ss:word' },
      });
    });

    it('given beside it win', () => {
      expect(given('https://me:old@example.org/a', { username: 'you', password: 'new' })).deep.equals({
        url,
        credentials: { username: 'you', password: 'new' },
      });
    });

    it('may be a token', () => {
      const credentials = { username: 'oauth2', password: 't' };
      expect(given(url, { token: 't' })).deep.equals({ url, credentials });
      expect(given(url, { username: 'me', token: 't' }).credentials).deep.equals({
        username: 'me',
        password: 't',
      });
    });

    it('may be a user name or a password alone', () => {
      const name = { username: 'me', password: '' };
      const password = { username: '', password: 'p' };
      expect(given('https://me@example.org/a')).deep.equals({ url, credentials: name });
      expect(given('https://:p@example.org/a')).deep.equals({ url, credentials: password });
      expect(given(url, { username: 'me' })).deep.equals({ url, credentials: name });
      expect(given(url, { password: 'p' })).deep.equals({ url, credentials: password });
      expect(given(url, { password: 'p', token: 't' })).deep.equals({ url, credentials: password });
    });

    it('that are empty count for nothing', () => {
      expect(given(url, { username: '', password: '', token: '' })).deep.equals({ url });
    });
  });
});
