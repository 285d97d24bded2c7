import { expect } from 'chai';
import { ADMIN, startApi, type TestApi, type TestUser } from '../../support/api.js';
import type { Client } from '../../support/client.js';

interface Listed {
  readonly id: number;
  readonly login: string;
  readonly email: string;
}

describe('lists of users', () => {
  let api: TestApi;
  let alice: TestUser;
  let limited: TestUser;
  let hidden: TestUser;

  before(async () => {
    api = await startApi();
    alice = await api.createUser('Alice', { full_name: 'Alice Äußerst', login_name: 'al' });
    limited = await api.createUser('limited', { visibility: 'limited' });
    hidden = await api.createUser('hidden', { visibility: 'private', full_name: 'One Hundred%' });
    await api.createUser('restrained', { restricted: true });
    await alice.post('/orgs', { username: 'an-organization' });
  });
  after(() => api.stop());

  const logins = (json: unknown) => (json as Listed[]).map(({ login }) => login);

  describe('GET /admin/users', () => {
    it('is 401 for nobody, 403 for others than administrators', async () => {
      expect((await api.anonymous.get('/admin/users')).status).to.equal(401);
      expect((await alice.get('/admin/users')).status).to.equal(403);
      const token = await api.createToken(ADMIN.username, 'read:user');
      expect((await token.get('/admin/users')).status).to.equal(403);
    });

    it('shows every user as administrators see them, by name, and no organization', async () => {
      const { status, json, headers } = await api.admin.get('/admin/users');
      expect(status).to.equal(200);
      expect(logins(json)).to.deep.equal(['Alice', 'hidden', 'limited', 'restrained', 'root']);
      expect((json as object[])[0]).to.deep.equal((await api.admin.get('/users/alice')).json);
      expect([headers.get('x-total-count'), headers.get('link')]).to.deep.equal(['5', null]);
    });

    it('comes in pages with their links', async () => {
      const { json, headers } = await api.admin.get('/admin/users?limit=2&page=2');
      expect(logins(json)).to.deep.equal(['limited', 'restrained']);
      expect(headers.get('x-total-count')).to.equal('5');
      expect(headers.get('link')).to.match(/page=3>; rel="next".*rel="last".*rel="first".*rel="prev"/);
      expect((await api.admin.get('/admin/users?limit=2&page=9')).json).to.deep.equal([]);
    });

    it('finds by login name, exactly, and by source', async () => {
      expect(logins((await api.admin.get('/admin/users?login_name=al')).json)).to.deep.equal(['Alice']);
      expect((await api.admin.get('/admin/users?login_name=a')).json).to.deep.equal([]);
      const { headers } = await api.admin.get('/admin/users?login_name=&limit=1');
      expect(headers.get('x-total-count')).to.equal(
        (await api.admin.get('/admin/users')).headers.get('x-total-count'),
      );
      expect((await api.admin.get('/admin/users?source_id=7')).json).to.deep.equal([]);
      expect((await api.admin.get('/admin/users?source_id=0&limit=1')).headers.get('x-total-count')).to.equal(
        '5',
      );
    });
  });

  describe('GET /users/search', () => {
    const search = async (client: Pick<Client, 'get'>, query: string) => {
      const { status, json } = await client.get(`/users/search?${query}`);
      const { ok, data } = json as { ok: boolean; data: Listed[] };
      expect([status, ok]).to.deep.equal([200, true]);
      return data;
    };
    const found = async (client: Pick<Client, 'get'>, query: string) => logins(await search(client, query));

    it('finds any part of a name or full name, in any letter case', async () => {
      expect(await found(api.anonymous, 'q=LIC')).to.deep.equal(['Alice']);
      expect(await found(api.anonymous, 'q=%C3%84USSERST')).to.deep.equal([]);
      expect(await found(api.anonymous, 'q=%C3%84u%C3%9Ferst')).to.deep.equal(['Alice']);
      expect(await found(api.anonymous, 'q=organization')).to.deep.equal([]);
    });

    it('finds a part of a word that ends in a sigma, and the end of one', async () => {
      await limited.patch('/user/settings', { full_name: 'ΠΑΠΑΣΤΑΘΗΣ Κώστας' });
      for (const part of ['ΠΑΠΑΣ', 'παπας', 'παπασ', 'ΘΗΣ', 'θησ', 'θης', 'ΚΏΣ', 'κώσ', 'ΑΣ', 'Σ', 'σ', 'ς'])
        expect(await found(alice, `q=${encodeURIComponent(part)}`), part).to.deep.equal(['limited']);
      expect(await found(alice, `q=${encodeURIComponent('παπα_')}`)).to.deep.equal([]);
      expect(await found(alice, `q=${encodeURIComponent('ΠΑΠΣΑ')}`)).to.deep.equal([]);
    });

    it('takes the signs of patterns for what they are', async () => {
      expect(await found(api.admin, 'q=%25')).to.deep.equal(['hidden']);
      expect(await found(api.admin, 'q=_')).to.deep.equal([]);
      expect(await found(api.admin, "q='--")).to.deep.equal([]);
      expect(await found(api.admin, 'q=%5C')).to.deep.equal([]);
      expect(await found(api.admin, 'q=Hundred%25')).to.deep.equal(['hidden']);
      expect(await found(api.admin, 'q=h%25d')).to.deep.equal([]);
      expect(await found(api.admin, 'q=a_i')).to.deep.equal([]);
      expect(await found(api.admin, 'q=%5C%5C%5C')).to.deep.equal([]);
    });

    it('shows strangers those that they may see', async () => {
      const everybody = ['Alice', 'hidden', 'limited', 'restrained', 'root'];
      expect(await found(api.anonymous, '')).to.deep.equal(['Alice', 'restrained', 'root']);
      expect(await found(alice, 'q=')).to.deep.equal(['Alice', 'limited', 'restrained', 'root']);
      expect(await found(limited, '')).to.deep.equal(['Alice', 'limited', 'restrained', 'root']);
      expect(await found(hidden, '')).to.deep.equal(everybody);
      expect(await found(api.admin, '')).to.deep.equal(everybody);
      const narrow = await api.createToken('hidden', 'public-only', 'read:user');
      expect(await found(narrow, '')).to.deep.equal(['Alice', 'restrained', 'root']);
    });

    it('finds by address for whoever is shown it', async () => {
      expect(await found(api.anonymous, 'q=alice@example')).to.deep.equal([]);
      expect(await found(hidden, 'q=ALICE@example')).to.deep.equal(['Alice']);
      await alice.patch('/user/settings', { hide_email: true });
      expect(await found(hidden, 'q=alice@example')).to.deep.equal([]);
      expect(await found(alice, 'q=alice@example')).to.deep.equal(['Alice']);
      expect(await found(api.admin, 'q=alice@example')).to.deep.equal(['Alice']);
      await alice.patch('/user/settings', { hide_email: false });
    });

    it('finds by the whole of an address, and not by what stands before the @ alone', async () => {
      const { email } = (await alice.get('/user')).json as Listed;
      const [, domain] = email.split('@');
      expect(await found(hidden, `q=${email}`)).to.deep.equal(['Alice']);
      expect(await found(hidden, `q=ce@${domain}`)).to.deep.equal(['Alice']);
      expect(await found(hidden, `q=lice@${domain}`)).to.deep.equal(['Alice']);
      expect(await found(hidden, 'q=alice@elsewhere')).to.deep.equal([]);
      expect(await found(hidden, 'q=alice@@')).to.deep.equal([]);
      expect(await found(hidden, `q=@${domain}`)).to.include.members(['Alice', 'limited']);
    });

    it('shows nobody signed in no address', async () => {
      const shown = await search(api.anonymous, '');
      expect(shown).to.not.be.empty;
      for (const { email } of shown) expect(email).to.match(/@noreply\./);
    });

    it('finds by id, those who stand for nobody too', async () => {
      expect(await found(api.anonymous, `uid=${alice.id}`)).to.deep.equal(['Alice']);
      expect(await found(api.anonymous, `uid=${hidden.id}`)).to.deep.equal([]);
      expect(await found(api.anonymous, 'uid=-1')).to.deep.equal(['Ghost']);
      expect(await found(api.anonymous, 'uid=-1&page=2')).to.deep.equal([]);
      expect(await found(api.anonymous, 'uid=-2')).to.deep.equal(['forgejo-actions']);
    });

    it('comes in pages with their links', async () => {
      const { headers, json } = await api.admin.get('/users/search?q=e&limit=1');
      expect((json as { data: unknown[] }).data).to.have.length(1);
      expect(Number(headers.get('x-total-count'))).to.be.greaterThan(1);
      expect(headers.get('link')).to.match(/q=e&limit=1&page=2>; rel="next"/);
    });

    it('is 403 for a token without the scope', async () => {
      expect((await (await api.createToken('Alice', 'read:issue')).get('/users/search')).status).to.equal(
        403,
      );
    });
  });
});
