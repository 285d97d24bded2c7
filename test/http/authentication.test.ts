import { request } from 'node:http';
import { expect } from 'chai';
import { TrustedProxies } from '../../src/http/authentication/client-address.js';
import { ADMIN, PASSWORD, startApi, type TestApi, type TestToken, type TestUser } from '../support/api.js';
import { basic } from '../support/client.js';
import { processorTime } from '../support/processor-time.js';
import type { RunningApi } from '../support/running-api.js';

describe('authentication', () => {
  let api: TestApi;
  let alice: TestUser;
  let token: TestToken;
  const loginLimits = { perAccountAndAddress: 4, perAddress: 1000, windowSeconds: 3_600 };

  before(async () => {
    api = await startApi({ loginLimits });
    alice = await api.createUser('Alice', { email: 'alice@example.org', password: 'pässwörd:x' });
    token = await api.createToken('alice', 'read:user');
  });
  after(() => api.stop());

  const login = async (authorization: string, path = '/user') => {
    const { status, json } = await api.anonymous.get(path, authorization ? { authorization } : {});
    return status === 200 ? (json as { login: string }).login : status;
  };

  describe('lets in', () => {
    for (const [form, authorization] of [
      ['a token', () => `token ${token.token}`],
      ['a token, whatever the case of the scheme', () => `ToKeN ${token.token}`],
      ['a bearer token', () => `bearer ${token.token}`],
      ['name and password', () => basic('alice', 'pässwörd:x')],
      ['e-mail and password', () => basic('ALICE@example.org', 'pässwörd:x')],
      ['a token in place of the password, whatever the name', () => basic('whoever', token.token)],
      ['a token in place of the name', () => basic(token.token, '')],
      ['a token in place of the name, the other way', () => basic(token.token, 'x-oauth-basic')],
    ] as const)
      it(form, async () => {
        expect(await login(authorization())).to.equal('Alice');
        expect(await login(authorization()), 'again').to.equal('Alice');
      });

    for (const name of ['token', 'access_token'])
      it(`the parameter ${name}, with a warning`, async () => {
        const { json, headers } = await api.anonymous.get(`/user?${name}=${token.token}`);
        expect(json).to.include({ login: 'Alice' });
        expect(headers.get('warning')).to.match(/^299 /);
      });

    it('a token in a form, with a warning', async () => {
      const admin = await api.createToken(ADMIN.username, 'all');
      const form = new URLSearchParams({
        token: admin.token,
        name: 'from a form',
        limit: '5',
        subjects: 'size:all',
      });
      const { status, json, headers } = await api.anonymous.post('/admin/quota/rules', form);
      expect([status, json]).to.deep.equal([201, { name: 'from a form', limit: 5, subjects: ['size:all'] }]);
      expect(headers.get('warning')).to.match(/^299 /);
    });

    it('the first credential that is good', async () => {
      const both = { authorization: basic('alice', 'pässwörd:x') };
      expect((await api.anonymous.get(`/user?token=${'0'.repeat(40)}`, both)).status).to.equal(200);
      const { json } = await api.anonymous.get(`/user?token=${token.token}`, {
        authorization: basic('root', ADMIN.password),
      });
      expect(json).to.include({ login: 'Alice' });
      const wrong = '0'.repeat(40);
      const header = { authorization: `token ${token.token}` };
      for (const [query, headers] of [
        [`token=${wrong}`, header],
        [`token=${wrong}&access_token=${wrong}`, header],
        [`token=${wrong}&access_token=${token.token}`, {}],
      ] as const)
        expect((await api.anonymous.get(`/user?${query}`, headers)).json).to.include({ login: 'Alice' });
      const none = { authorization: `token ${wrong}` };
      expect((await api.anonymous.get(`/user?access_token=${wrong}`, none)).status).to.equal(401);
    });
  });

  describe('is 401 on every route for', () => {
    for (const [what, authorization] of [
      ['a wrong password', () => basic('alice', 'wrong')],
      ['an unknown user', () => basic('nobody', PASSWORD)],
      ['a user with NUL', () => basic('ali\0ce', PASSWORD)],
      ['an unknown token', () => `token ${'0'.repeat(40)}`],
      ['a token that is none', () => 'token nonsense'],
      ['a token like that of OAuth', () => 'Bearer a.b.c'],
    ] as const)
      it(what, async () => {
        const refused = await api.anonymous.get('/version', { authorization: authorization() });
        expect(refused.status).to.equal(401);
        expect(refused.message).to.equal('the user name, password or token is wrong');
        expect(
          (await api.anonymous.get('/no/such/route', { authorization: authorization() })).status,
        ).to.equal(401);
      });
  });

  it('costs the work of a password once, and little from then on', async () => {
    const workOf = (password: string, status: number) =>
      processorTime(async () => {
        expect((await api.as({ username: 'alice', password }).get('/version')).status).to.equal(status);
      });
    const first = await workOf('a guess that nobody made', 401);
    const later: number[] = [];
    for (let turn = 0; turn < 5; turn++) later.push(await workOf('pässwörd:x', 200));
    expect(Math.min(...later)).to.be.below(first / 2);
  });

  it('costs as much work to refuse a user who is unknown as one whose password is wrong', async () => {
    const limits = { perAccountAndAddress: 1_000, perAddress: 1_000, windowSeconds: 3_600 };
    const patient = await api.another({ loginLimits: limits });
    let guesses = 0;
    /** The least of several: whatever else this process does only adds to it. */
    const workOf = async (name: string) => {
      const spent: number[] = [];
      for (let turn = 0; turn < 5; turn++) {
        const guesser = patient.as({ username: name, password: `guess ${guesses++}` });
        const guess = async () => expect((await guesser.get('/version')).status).to.equal(401);
        spent.push(await processorTime(guess));
      }
      return Math.min(...spent);
    };
    const known = await workOf('alice');
    for (const unknown of ['nobody', 'nobody@example.org', 'ali\0ce'])
      expect(await workOf(unknown), unknown).to.be.greaterThan(known / 2);
  });

  for (const authorization of ['', 'token', 'token a b', 'Digest x', 'Basic %%%'])
    it(`takes "${authorization}" for nobody`, async () => {
      expect((await api.anonymous.get('/version', { authorization })).status).to.equal(200);
      expect(await login(authorization)).to.equal(401);
    });

  describe('scopes', () => {
    it('bind tokens: 403 before the path is looked at, and before 401 of a route', async () => {
      const user = await api.createToken(ADMIN.username, 'write:user', 'write:issue');
      expect((await user.get('/admin/quota/groups/absent')).status).to.equal(403);
      const reader = await api.createToken(ADMIN.username, 'read:admin');
      expect((await reader.get('/admin/quota/groups')).status).to.equal(200);
      expect((await reader.post('/admin/users', {})).status).to.equal(403);
      expect((await reader.get('/user')).status).to.equal(403);
      expect((await reader.get('/version')).status).to.equal(200);
    });

    it('do not make an administrator of whoever is none', async () => {
      const all = await api.createToken('alice', 'all');
      expect((await all.get('/admin/quota/groups')).status).to.equal(403);
    });
  });

  describe('the state of an account', () => {
    const flags = { active: true, prohibited: false, mustChangePassword: false };

    for (const closed of [{ active: false }, { prohibited: true }, { mustChangePassword: true }])
      it(`closes every route at once, tokens included: ${JSON.stringify(closed)}`, async () => {
        const name = `closed-${Object.keys(closed).join()}`.toLowerCase();
        const user = await api.createUser(name);
        const itsToken = await api.createToken(name, 'all');
        expect((await user.get('/version')).status).to.equal(200);
        expect((await itsToken.get('/version')).status).to.equal(200);
        // By another process: this one hears of it from the database.
        const other = api.connections.vault.credentials;
        await other.set(user.id, PASSWORD, { ...flags, ...closed });
        await eventually(async () => (await user.get('/version')).status === 403);
        const refused = await itsToken.get('/version');
        expect([refused.status, Object.keys(refused.json as object)]).to.deep.equal([403, ['message']]);
      });

    it('a changed password counts at once, the old one no longer', async () => {
      const user = await api.createUser('changing');
      expect((await user.get('/user')).status).to.equal(200);
      await api.connections.vault.credentials.set(user.id, 'another password', flags);
      await eventually(async () => (await user.get('/user')).status === 401);
      expect(await login(basic('changing', 'another password'))).to.equal('changing');
    });
  });

  describe('too many failed logins', () => {
    it('are not what many first requests with the right password at once are', async () => {
      const user = await api.createUser('crowd');
      const answers = await Promise.all(Array.from({ length: 120 }, () => user.get('/user')));
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    });

    it('are 429 with Retry-After, for the right password as well, but not for who is in', async () => {
      const user = await api.createUser('guessed');
      expect((await user.get('/user')).status).to.equal(200);
      const guesses = await Promise.all(
        Array.from({ length: 8 }, (_, guess) => login(basic('guessed', `guess ${guess}`))),
      );
      expect(guesses.sort()).to.deep.equal([401, 401, 401, 401, 429, 429, 429, 429]);
      const refused = await api.anonymous.get('/user', { authorization: basic('GUESSED', PASSWORD) });
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 3_600);
      expect((await user.get('/user')).status).to.equal(200);
      expect((await alice.get('/user')).status).to.equal(200);
    });
  });

  describe('failed logins of one account', () => {
    it('count together, whichever of its names is tried, in whatever letters', async () => {
      await api.createUser('many-names', { email: 'Many.Names@example.org' });
      const names = ['many-names', 'MANY-names', 'many.names@example.org', 'Many.Names@Example.org'];
      for (const name of names) expect(await login(basic(name, 'a guess'))).to.equal(401);
      for (const name of names) expect(await login(basic(name, PASSWORD)), name).to.equal(429);
    });

    it('count for little with the same password again, as of a program that has an old one', async () => {
      await api.createUser('old-password');
      for (let time = 0; time < 10; time++)
        expect(await login(basic('old-password', 'an old one'))).to.equal(401);
      expect(await login(basic('old-password', PASSWORD))).to.equal('old-password');
    });
  });

  describe('failed logins from one address', () => {
    it('count together, whoever is guessed at, and keep nobody out who comes from another', async () => {
      const behind = await api.another({
        loginLimits: { perAccountAndAddress: 100, perAddress: 4, windowSeconds: 3_600 },
        config: { trustedProxies: new TrustedProxies(['127.0.0.1', '::1']) },
      });
      const user = await api.createUser('besieged');
      const enter = (name: string, password: string, from: string) =>
        behind.anonymous.get('/user', { authorization: basic(name, password), 'x-forwarded-for': from });
      for (const name of ['nobody-1', 'nobody-2', 'besieged', 'alice'])
        expect((await enter(name, 'a guess', '198.51.100.1')).status, name).to.equal(401);
      const refused = await enter(user.username, PASSWORD, '198.51.100.1');
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 3_600);
      expect((await enter(user.username, PASSWORD, '198.51.100.2')).status).to.equal(200);
    });
  });

  describe('behind a trusted proxy', () => {
    it('failed logins count for the address that it names', async () => {
      const trustedProxies = new TrustedProxies(['127.0.0.1', '::1']);
      const behind = await api.another({ loginLimits, config: { trustedProxies } });
      let guesses = 0;
      const guess = async (client: RunningApi, from: string) => {
        const authorization = basic('nobody', `guess ${guesses++}`);
        const headers = { authorization, 'x-forwarded-for': from };
        return (await client.anonymous.get('/user', headers)).status;
      };
      for (let time = 0; time < 4; time++) await guess(behind, '198.51.100.1');
      expect(await guess(behind, '198.51.100.1')).to.equal(429);
      expect(await guess(behind, '198.51.100.2')).to.equal(401);
      for (let time = 0; time < 4; time++) await guess(api, `198.51.100.${time}`);
      expect(await guess(api, '198.51.100.9'), 'of no proxy').to.equal(429);
    });
  });

  describe('sudo', () => {
    it('lets administrators act as somebody else; the query wins over the header', async () => {
      expect((await api.admin.get('/user?sudo=alice', { sudo: 'root' })).json).to.include({ login: 'Alice' });
      expect((await api.admin.get('/user', { sudo: 'ALICE' })).json).to.include({ login: 'Alice' });
      expect((await api.admin.get('/admin/quota/groups?sudo=alice')).status).to.equal(403);
    });

    it('keeps the scopes of the token that was shown', async () => {
      const narrow = await api.createToken(ADMIN.username, 'read:admin');
      expect((await narrow.get('/user?sudo=alice')).status).to.equal(403);
    });

    it('is 403 for tokens that reach only what is public, as somebody who is not', async () => {
      const narrow = await api.createToken(ADMIN.username, 'read:user', 'public-only');
      expect((await narrow.get('/user?sudo=alice')).json).to.include({ login: 'Alice' });
      await api.createUser('hermit', { visibility: 'private' });
      const { status, json } = await narrow.get('/user?sudo=hermit');
      expect([status, Object.keys(json as object)]).to.deep.equal([403, ['message']]);
      expect((await api.admin.get('/user?sudo=hermit')).status).to.equal(200);
    });

    it('is 403 for everybody else and 404 for nobody', async () => {
      for (const client of [alice, api.anonymous]) {
        const refused = await client.get('/version?sudo=root');
        expect([refused.status, Object.keys(refused.json as object)]).to.deep.equal([403, ['message']]);
      }
      expect((await api.admin.get('/version?sudo=nobody')).status).to.equal(404);
      expect((await alice.post('/orgs', { username: 'no-user' })).status).to.equal(201);
      expect((await api.admin.get('/version?sudo=no-user')).status).to.equal(404);
    });
  });

  describe('a password that a browser remembers', () => {
    const page = 'https://page.example';
    /** `fetch` would write its own `Sec-Fetch-Mode`. */
    const render = (to: RunningApi, type: string, headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const authorization = basic('alice', 'pässwörd:x');
        const all = { authorization, ...(type !== '' && { 'content-type': type }), origin: page, ...headers };
        request(`${to.url()}/api/v1/markdown/raw`, { method: 'POST', headers: all }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .once('error', reject)
          .end('text');
      });
    const elsewhere = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };

    for (const type of ['text/plain', 'text/plain;json', 'application/x-www-form-urlencoded', ''])
      it(`does not count in what another site has it send as "${type}"`, async () => {
        expect(await render(api, type, elsewhere)).to.equal(403);
        const neighbour = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' };
        expect(await render(api, type, neighbour)).to.equal(403);
      });

    it('counts in what this site sends, what nobody has it send unasked, and what CORS_ORIGIN lets in', async () => {
      const here = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
      expect(await render(api, 'text/plain', here)).to.equal(200);
      expect(await render(api, 'text/plain', {})).to.equal(200);
      expect(await render(api, 'text/markdown', elsewhere)).to.equal(200);
      const asked = { ...elsewhere, 'sec-fetch-mode': 'cors' };
      for (const origin of [page, '*']) {
        const open = await api.another({ config: { corsOrigins: [origin] } });
        expect(await render(open, 'text/plain', asked)).to.equal(200);
        expect(await render(open, 'text/plain', elsewhere)).to.equal(403);
      }
    });

    it('does not count in what a page that CORS_ORIGIN does not name has it ask for', async () => {
      const asked = { ...elsewhere, 'sec-fetch-mode': 'cors' };
      const other = await api.another({ config: { corsOrigins: ['https://other.example'] } });
      for (const to of [api, other]) expect(await render(to, 'text/plain', asked)).to.equal(403);
    });
  });

  describe('settings', () => {
    it('DISABLE_QUERY_TOKENS: parameters do not count', async () => {
      const strict = await api.another({ config: { disableQueryTokens: true } });
      const answer = await strict.anonymous.get(`/user?token=${token.token}`);
      expect([answer.status, answer.headers.get('warning')?.slice(0, 3)]).to.deep.equal([401, '299']);
    });

    it('REQUIRE_SIGN_IN: nobody is served without', async () => {
      const closed = await api.another({ config: { requireSignIn: true } });
      expect((await closed.anonymous.get('/version')).status).to.equal(403);
      expect((await closed.admin.get('/version')).status).to.equal(200);
    });
  });

  it('leaves no secret in the log', async () => {
    const secret = token.token;
    await api.anonymous.get(`/user?access_token=${secret}`);
    await api.anonymous.get('/user', { authorization: basic('alice', 'pässwörd:x') });
    await api.anonymous.get(`/user/${secret.slice(0, 8)}?token=${secret}`);
    const logged = api.logged();
    expect(logged).to.include('"operation":"userGetCurrent"');
    for (const word of [secret, PASSWORD, 'pässwörd', basic('alice', 'pässwörd:x').slice(6), ADMIN.password])
      expect(logged).not.to.include(word);
  });
});

/** What other processes are told of takes milliseconds; the limit of the test is the time limit. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
