import { expect } from 'chai';
import { credentialsOf } from '../../../src/http/authentication/credentials.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const shown = (authorization: string) => credentialsOf({ authorization });

describe('credentials of a request', () => {
  for (const header of ['token abc', 'TOKEN abc', 'Bearer abc', 'bearer abc'])
    it(`reads "${header}"`, () => {
      expect(shown(header)).to.deep.equal([{ kind: 'token', token: 'abc' }]);
    });

  it('reads a password with colons, in UTF-8', () => {
    expect(shown(basic('álice:p:ä'))).to.deep.equal([
      { kind: 'basic', name: 'álice', password: 'p:ä', token: 'p:ä' },
    ]);
  });

  for (const password of ['', 'x-oauth-basic'])
    it(`takes the name for a token beside the password "${password}"`, () => {
      expect(shown(basic(`abc:${password}`))).to.deep.equal([
        { kind: 'basic', name: 'abc', password, token: 'abc' },
      ]);
    });

  for (const header of ['', 'token', 'token ', 'token a b', 'Digest abc', 'Basic !!!', basic('no colon')])
    it(`counts "${header}" as absent`, () => {
      expect(shown(header)).to.deep.equal([]);
    });

  it('tries token parameters before a token header', () => {
    const parameters = { token: 'one', access_token: 'two' };
    expect(credentialsOf({ authorization: 'token three', parameters })).to.deep.equal(
      ['one', 'two', 'three'].map((token) => ({ kind: 'token', token })),
    );
    const empty = { token: '', access_token: '' };
    expect(credentialsOf({ authorization: '', parameters: empty })).to.deep.equal([]);
  });

  it('tries a token parameter first and Basic after it', () => {
    const tried = credentialsOf({ authorization: basic('a:b'), parameters: { access_token: 'two' } });
    expect(tried.map(({ token }) => token)).to.deep.equal(['two', 'b']);
  });
});
