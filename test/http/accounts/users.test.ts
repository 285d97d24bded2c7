import { expect } from 'chai';
import { startApi, PASSWORD, type TestApi, type TestUser } from '../../support/api.js';

describe('users', () => {
  let api: TestApi;
  let alice: TestUser;

  before(async () => {
    api = await startApi();
    alice = await api.createUser('Alice', { email: 'alice@example.org', full_name: 'Alice A.' });
  });
  after(() => api.stop());

  describe('POST /admin/users', () => {
    const user = (username: string, fields = {}) => ({
      username,
      email: `${username}@example.org`,
      password: PASSWORD,
      ...fields,
    });

    it('is 401 for nobody and 403 for whoever is no administrator, whatever the body', async () => {
      const refused = await api.anonymous.post('/admin/users', '{');
      expect(refused.status).to.equal(401);
      expect(refused.headers.get('www-authenticate')).to.match(/^Basic /);
      expect((await alice.post('/admin/users', '{')).status).to.equal(403);
    });

    it('takes a time of any offset, also those that the database does not', async () => {
      const times = ['2020-02-03T04:05:06-23:59', '2020-02-03T04:05:06+16:00', '0000-12-31T23:00:00-05:00'];
      for (const [index, created_at] of times.entries()) {
        const { status } = await api.admin.post('/admin/users', user(`dated${index}`, { created_at }));
        expect(status).to.equal(201);
      }
      await api.shown();
      const shown = await Promise.all(times.map((_, index) => api.admin.get(`/users/dated${index}`)));
      expect(shown.map(({ json }) => (json as { created: string }).created)).to.deep.equal([
        '2020-02-04T04:04:06Z',
        '2020-02-02T12:05:06Z',
        '0001-01-01T04:00:00Z',
      ]);
    });

    it('answers with the whole User', async () => {
      const { status, json } = await api.admin.post(
        '/admin/users',
        user('whole', { created_at: '2020-02-03T04:05:06+01:00' }),
      );
      expect(status).to.equal(201);
      const { id } = json as { id: number };
      expect(json).to.deep.equal({
        id,
        login: 'whole',
        login_name: '',
        source_id: 0,
        full_name: '',
        email: 'whole@example.org',
        avatar_url: `${api.url()}/avatars/${id}`,
        html_url: `${api.url()}/whole`,
        language: '',
        is_admin: false,
        last_login: '1970-01-01T00:00:00Z',
        created: '2020-02-03T03:05:06Z',
        restricted: false,
        active: true,
        prohibit_login: false,
        location: '',
        pronouns: '',
        website: '',
        description: '',
        visibility: 'public',
        followers_count: 0,
        following_count: 0,
        starred_repos_count: 0,
        username: 'whole',
      });
      expect((await api.admin.get('/users/whole')).json).to.deep.equal(json);
    });

    for (const [what, fields, message] of [
      ['no user name', { username: undefined }, /^\[Username\]: Required/],
      ['an empty user name', { username: '' }, /^\[Username\]: Required/],
      ['a name of 41 characters', { username: 'a'.repeat(41) }, /^\[Username\]: /],
      ['a name with two dots', { username: 'a..b' }, /^\[Username\]: /],
      ['a reserved name', { username: 'Admin' }, /^\[Username\]: /],
      ['a reserved ending', { username: 'me.keys' }, /^\[Username\]: /],
      ['a taken name in another case', { username: 'ALICE' }, /^\[Username\]: /],
      ['no e-mail', { email: undefined }, /^\[Email\]: Required/],
      ['an e-mail with a line break', { email: 'a@example.org\r\nx: y' }, /^\[Email\]: /],
      ['a taken e-mail in another case', { email: 'ALICE@example.org' }, /^\[Email\]: /],
      ['no password', { password: undefined }, /^\[Password\]: Required/],
      ['a short password', { password: '1234567' }, /^\[Password\]: /],
      ['an unknown source', { source_id: 7 }, /^\[SourceId\]: /],
      ['a full name of 101 characters', { full_name: 'x'.repeat(101) }, /^\[FullName\]: /],
      ['an unknown visibility', { visibility: 'secret' }, /^\[Visibility\]: /],
      ['a text for a boolean', { restricted: 'yes' }, /^\[Restricted\]: /],
      ['a time that is none', { created_at: 'yesterday' }, /^\[CreatedAt\]: /],
      ['a name with NUL', { full_name: 'a\0b' }, /^\[FullName\]: /],
      ['half a surrogate pair', { full_name: '\ud800' }, /^\[FullName\]: /],
    ] as const)
      it(`is 422 for ${what}`, async () => {
        const refused = await api.admin.post('/admin/users', user('another', fields));
        expect([refused.status, refused.message]).to.satisfy(
          ([status, text]: [number, string]) => status === 422 && message.test(text),
        );
        expect((await api.admin.get('/users/another')).status).to.equal(404);
      });

    it('is 422 for a password that is too simple where PASSWORD_COMPLEXITY asks for more, as later ones are', async () => {
      const passwordRules = { minBytes: 8, complexity: ['upper', 'digit'] } as const;
      const strict = await api.another({ config: { passwordRules } });
      const refused = await strict.admin.post('/admin/users', user('simple'));
      expect([refused.status, refused.message]).to.deep.equal([
        422,
        '[Password]: must have an upper-case letter, a digit',
      ]);
      const password = 'Correct horse 1';
      expect((await strict.admin.post('/admin/users', user('simple', { password }))).status).to.equal(201);
      expect((await strict.admin.patch('/admin/users/simple', { password: PASSWORD })).status).to.equal(422);
    });

    it('takes null and what it does not know for nothing', async () => {
      const created = await api.admin.post(
        '/admin/users',
        user('nulls', { full_name: null, visibility: '', unknown: 1 }),
      );
      expect(created.status).to.equal(201);
    });

    it('closes the account until its password is changed, unless told otherwise', async () => {
      expect((await api.admin.post('/admin/users', user('newcomer'))).status).to.equal(201);
      const closed = await api.as({ username: 'newcomer', password: PASSWORD }).get('/version');
      expect([closed.status, Object.keys(closed.json as object)]).to.deep.equal([403, ['message']]);
    });

    it('lets one of many at once have the name', async () => {
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          api.admin.post('/admin/users', user('contended', { email: `c${index}@example.org` })),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201,
        ...new Array<number>(63).fill(422),
      ]);
    });
  });

  describe('GET /user', () => {
    it('is 401 for nobody', async () => {
      expect((await api.anonymous.get('/user')).status).to.equal(401);
    });

    it('shows what is private to the user', async () => {
      const { status, json } = await alice.get('/user');
      expect(status).to.equal(200);
      expect(json).to.include({ login: 'Alice', active: true, is_admin: false, full_name: 'Alice A.' });
      expect((json as { last_login: string }).last_login).to.match(/^20/);
      expect((await api.admin.get('/user')).json).to.include({ login: 'root', is_admin: true });
    });
  });

  describe('GET /users/{username}', () => {
    it('shows others no more than they may see', async () => {
      const seen = (await api.anonymous.get('/users/aLICE')).json;
      expect(seen).to.include({
        login: 'Alice',
        email: 'alice@noreply.127.0.0.1',
        active: false,
        last_login: '0001-01-01T00:00:00Z',
      });
      const bob = await api.createUser('bob');
      expect((await bob.get('/users/alice')).json).to.include({
        email: 'alice@example.org',
        active: false,
        is_admin: false,
      });
      expect((await bob.get('/users/root')).json).to.include({ is_admin: false });
    });

    it('hides private and limited users as if they were not there', async () => {
      const hidden = await api.createUser('hidden', { visibility: 'private' });
      const limited = await api.createUser('limited', { visibility: 'limited' });
      const restricted = await api.createUser('restrained', { restricted: true });
      const status = async (client: Pick<TestUser, 'get'>, name: string) =>
        (await client.get(`/users/${name}`)).status;
      const absent = await api.anonymous.get('/users/nobody');
      expect((await api.anonymous.get('/users/hidden')).text).to.equal(absent.text);
      expect(await status(api.anonymous, 'limited')).to.equal(404);
      expect(await status(alice, 'hidden')).to.equal(404);
      expect(await status(alice, 'limited')).to.equal(200);
      expect(await status(restricted, 'limited')).to.equal(404);
      expect(await status(restricted, 'restrained')).to.equal(200);
      expect(await status(hidden, 'hidden')).to.equal(200);
      expect(await status(limited, 'limited')).to.equal(200);
      expect(await status(api.admin, 'hidden')).to.equal(200);
    });

    for (const name of [
      'nobody',
      'a%2Fb',
      '%00',
      'a'.repeat(5000),
      '..%2f..',
      '__proto__',
      'constructor',
      "x'--",
    ])
      it(`is 404 for ${name.slice(0, 20)}`, async () => {
        const { status, json } = await api.admin.get(`/users/${name}`);
        expect(status).to.equal(404);
        expect(json).to.have.all.keys('message', 'url', 'errors');
      });
  });

  it('GET /version tells anyone the release of Forgejo whose API this is, and the one that runs', async () => {
    const { status, json } = await api.anonymous.get('/version');
    expect([status, json]).to.deep.equal([200, { version: '9.0.3+gitea-1.22.0', tallyforge: '9.9.9' }]);
  });
});
