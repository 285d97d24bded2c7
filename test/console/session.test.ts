import { expect } from 'chai';
import { siteAdministrator } from '../../src/http/access.js';
import { consolePage } from '../../src/http/console/page.js';
import { ADMIN, PASSWORD, startApi, type TestApi } from '../support/api.js';
import { basic } from '../support/client.js';
import { Visitor } from './visitor.js';

const HERE = { 'sec-fetch-site': 'same-origin' };
const RULES = '/api/v1/admin/quota/rules';

describe('signing in to the console', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ loginLimits: { perAccountAndAddress: 5, perAddress: 500, windowSeconds: 900 } });
  });
  after(() => api.stop());

  let visitor: Visitor;
  beforeEach(() => {
    visitor = new Visitor(api);
  });

  /** A site administrator of one's own, to be changed at will. */
  const administrator = async (username: string) => {
    await api.createUser(username);
    await edit(username, { admin: true });
    return { username, password: PASSWORD };
  };
  const edit = async (username: string, fields: object) => {
    const body = { login_name: username, source_id: 0, ...fields };
    expect((await api.admin.patch(`/admin/users/${username}`, body)).status).to.equal(200);
  };
  const rules = async (headers: Readonly<Record<string, string>>) =>
    (await visitor.get(RULES, headers)).status;

  it('every page says who may call it', () => {
    const page = {
      id: 'x',
      method: 'GET',
      path: '',
      access: siteAdministrator,
      handle: () => undefined,
    } as const;
    const { access, ...without } = page;
    expect(() => consolePage(without as unknown as typeof page)).to.throw('who may call');
    expect(consolePage(page).access).to.equal(access);
  });

  it('begins a session, and the page is shown', async () => {
    expect((await visitor.get('/-/quota')).headers.get('location')).to.equal('/-/quota/sign-in');
    const { status, headers } = await visitor.signIn(ADMIN);
    expect([status, headers.get('location')]).to.deep.equal([303, '/-/quota']);
    expect(headers.get('set-cookie')).to.match(
      /^tallyforge=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    const page = await visitor.get('/-/quota');
    expect([page.status, page.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    expect(page.text).to.include('root');
    expect((await visitor.get('/-/quota/sign-in')).headers.get('location')).to.equal('/-/quota');
  });

  it('has a strict policy on everything it sends, and no script within a page', async () => {
    const answers = [await visitor.get('/-/quota/sign-in')];
    await visitor.signIn(ADMIN);
    answers.push(await visitor.get('/-/quota'));
    for (const { text } of answers) {
      expect(text).to.contain('<script type="module" src="');
      expect(text).not.to.match(/<script(?![^>]*\ssrc=)|<style|\son\w+=|javascript:/);
    }
    for (const file of ['main.js', 'vendor/uPlot.esm.js'])
      answers.push(await visitor.get(`/-/quota/assets/${file}`));
    for (const { status, headers } of answers) {
      expect(status).to.equal(200);
      expect(headers.get('content-security-policy')).to.match(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(headers.get('content-security-policy')).not.to.include('unsafe');
      expect(headers.get('x-frame-options')).to.equal('DENY');
    }
    for (const path of [
      'assets/tsconfig.json',
      'assets/../package.json',
      'assets/%2e%2e/package.json',
      'nothing',
    ])
      expect((await visitor.get(`/-/quota/${path}`)).status, path).to.equal(404);
  });

  it('says which methods a page has', async () => {
    for (const [path, allowed] of [
      ['sign-out', 'OPTIONS, POST'],
      ['sign-in', 'GET, HEAD, OPTIONS, POST'],
    ] as const) {
      const { status, headers } = await fetch(`${api.url()}/-/quota/${path}`, { method: 'PUT' });
      expect([status, headers.get('allow')], path).to.deep.equal([405, allowed]);
    }
  });

  it('is asked for once more where a link of another site left the cookie behind, and not again', async () => {
    const linked = { 'sec-fetch-site': 'cross-site' };
    const { headers } = await visitor.get('/-/quota/sign-in', linked);
    expect(headers.get('refresh')).to.equal('0; url=/-/quota/sign-in?again');
    expect((await visitor.get('/-/quota/sign-in?again', linked)).headers.get('refresh')).to.equal(null);
    expect((await visitor.get('/-/quota/sign-in')).headers.get('refresh')).to.equal(null);
  });

  describe('is refused', () => {
    it('with a wrong password, or an unknown name, in the same words', async () => {
      const wrong = await visitor.signIn({ ...ADMIN, password: 'not this one' });
      const unknown = await visitor.signIn({ username: 'nobody', password: '"><b>' });
      expect([wrong.status, unknown.status]).to.deep.equal([401, 401]);
      expect(wrong.text).to.include('The user name or password is wrong.');
      expect(unknown.text).to.equal(wrong.text);
      expect([wrong.headers.get('www-authenticate'), visitor.cookie]).to.deep.equal([null, '']);
    });
    it('with a token in place of the password', async () => {
      const { token } = await api.createToken(ADMIN.username, 'all');
      expect((await visitor.signIn({ username: ADMIN.username, password: token })).status).to.equal(401);
      expect((await visitor.signIn({ username: token, password: 'x-oauth-basic' })).status).to.equal(401);
    });
    it('to who is no administrator', async () => {
      await api.createUser('plain');
      const { status, text } = await visitor.signIn({ username: 'plain', password: PASSWORD });
      expect([status, visitor.cookie]).to.deep.equal([403, '']);
      expect(text).to.include('Only site administrators');
    });
    for (const [fields, reason] of [
      [{ prohibit_login: true }, 'may not sign in'],
      [{ active: false }, 'not active'],
      [{ must_change_password: true }, 'must be changed'],
    ] as const) {
      it(`to an administrator whose account ${reason}`, async () => {
        const one = await administrator(`shut-${Object.keys(fields).join().replaceAll('_', '')}`);
        await edit(one.username, fields);
        const { status, text } = await visitor.signIn(one);
        expect([status, visitor.cookie]).to.deep.equal([403, '']);
        expect(text).to.include(reason);
      });
    }
    it('after too many failures', async () => {
      const one = await administrator('guessed');
      for (let count = 0; count < 5; count += 1) await visitor.signIn({ ...one, password: `guess ${count}` });
      const { status, headers, text } = await visitor.signIn(one);
      expect([status, visitor.cookie]).to.deep.equal([429, '']);
      expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
      expect(text).to.include('Too many failed logins.');
    });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'x-no-browser': 'yes' },
    ]) {
      it(`to a form sent with ${JSON.stringify(headers)}`, async () => {
        const { status } = await visitor.signIn(ADMIN, headers);
        expect([status, visitor.cookie]).to.deep.equal([403, '']);
      });
    }
  });

  describe('the session', () => {
    it('is let in to the API with its proof, from the same origin', async () => {
      await visitor.signIn(ADMIN);
      const proof = { 'x-tallyforge-proof': await visitor.proof() };
      expect(await rules({ ...proof, ...HERE })).to.equal(200);
      expect(await rules({ ...proof, origin: api.url() })).to.equal(200);
      expect(await rules(proof)).to.equal(200);
    });
    it('counts for nothing as a cookie alone', async () => {
      await visitor.signIn(ADMIN);
      expect(await rules(HERE)).to.equal(401);
    });
    it('is refused to other sites, even with the proof', async () => {
      await visitor.signIn(ADMIN);
      const proof = { 'x-tallyforge-proof': await visitor.proof() };
      for (const site of ['cross-site', 'same-site', 'none'])
        expect(await rules({ ...proof, 'sec-fetch-site': site }), site).to.equal(403);
      expect(await rules({ ...proof, origin: 'https://elsewhere.example' })).to.equal(403);
      expect(await rules({ ...proof, origin: 'null' })).to.equal(403);
    });
    it('is refused with the proof of another session, and without asking for a password', async () => {
      const other = new Visitor(api);
      await other.signIn(ADMIN);
      await visitor.signIn(ADMIN);
      const { status, headers } = await visitor.get(RULES, {
        'x-tallyforge-proof': await other.proof(),
        ...HERE,
      });
      expect([status, headers.get('www-authenticate')]).to.deep.equal([401, null]);
    });
    it('gives way to the Authorization header, whatever that says', async () => {
      await api.createUser('preferred');
      await visitor.signIn(ADMIN);
      const proof = { 'x-tallyforge-proof': await visitor.proof(), ...HERE };
      expect(await rules({ ...proof, authorization: basic('preferred', PASSWORD) })).to.equal(403);
      expect(await rules({ ...proof, authorization: 'nonsense' })).to.equal(401);
      expect(await rules({ ...proof, authorization: basic('root', 'wrong') })).to.equal(401);
    });
    it('manages no tokens', async () => {
      await visitor.signIn(ADMIN);
      const headers = { 'x-tallyforge-proof': await visitor.proof(), ...HERE };
      expect((await visitor.get('/api/v1/users/root/tokens', headers)).status).to.equal(401);
    });
    it('ends when its page asks for that', async () => {
      await visitor.signIn(ADMIN);
      const [cookie, proof] = [visitor.cookie, await visitor.proof()];
      expect((await visitor.post('/-/quota/sign-out', {})).status).to.equal(403);
      expect((await visitor.post('/-/quota/sign-out', { proof }, { origin: 'null' })).status).to.equal(403);
      expect(await rules({ 'x-tallyforge-proof': proof })).to.equal(200);
      const { status, headers } = await visitor.post('/-/quota/sign-out', { proof });
      expect([status, headers.get('location'), visitor.cookie]).to.deep.equal([
        303,
        '/-/quota/sign-in',
        'tallyforge=',
      ]);
      visitor.cookie = cookie;
      expect(await rules({ 'x-tallyforge-proof': proof })).to.equal(401);
      expect((await visitor.get('/-/quota')).status).to.equal(303);
    });
    it('does not end by the page of an earlier session, which is shown the console anew', async () => {
      await visitor.signIn(ADMIN);
      const earlier = await visitor.proof();
      await visitor.signIn(ADMIN);
      const proof = await visitor.proof();
      const { status, headers } = await visitor.post('/-/quota/sign-out', { proof: earlier });
      expect([status, headers.get('location')]).to.deep.equal([303, '/-/quota']);
      expect(await rules({ 'x-tallyforge-proof': proof })).to.equal(200);
    });
    for (const [why, change] of [
      ['the password changes', { password: 'battery staple' }],
      ['the account is suspended', { prohibit_login: true }],
    ] as const) {
      it(`ends at once in every process when ${why}`, async () => {
        const one = await administrator(`ends-${Object.keys(change).join().replaceAll('_', '')}`);
        await visitor.signIn(one);
        const proof = await visitor.proof();
        expect(await rules({ 'x-tallyforge-proof': proof })).to.equal(200);
        const other = await api.another();
        const path = `/admin/users/${one.username}`;
        await other.admin.patch(path, { login_name: one.username, source_id: 0, ...change });
        await other.stop();
        expect(await rules({ 'x-tallyforge-proof': proof })).to.equal(401);
      });
    }
    it('ends when the account is no administrator any more', async () => {
      const one = await administrator('ends-admin');
      await visitor.signIn(one);
      const proof = { 'x-tallyforge-proof': await visitor.proof() };
      await edit('ends-admin', { admin: false });
      expect(await rules(proof)).to.equal(401);
      await edit('ends-admin', { admin: true });
      expect(await rules(proof)).to.equal(401);
    });
    it('ends when the account is deleted', async () => {
      const one = await administrator('deleted');
      await visitor.signIn(one);
      const proof = await visitor.proof();
      expect((await api.admin.delete('/admin/users/deleted')).status).to.equal(204);
      expect(await rules({ 'x-tallyforge-proof': proof })).to.equal(401);
    });
  });

  it('is not there where quotas are off', async () => {
    const without = await api.another({
      config: { quota: { enabled: false, defaultTotal: -1n, defaultGroups: [] } },
    });
    expect((await new Visitor(without).get('/-/quota')).status).to.equal(404);
    await without.stop();
  });
});
