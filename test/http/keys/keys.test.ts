import { expect } from 'chai';
import { ADMIN, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { newKey } from '../../support/public-keys.js';

interface Key {
  readonly id: number;
  readonly key: string;
  readonly fingerprint: string;
}

describe('public keys', () => {
  let api: TestApi;
  let alice: TestUser;
  let bob: TestUser;
  let count = 0;

  before(async () => {
    api = await startApi();
    [alice, bob] = [await api.createUser('Alice'), await api.createUser('bob')];
    await alice.post('/orgs', { username: 'some-people' });
  });
  after(() => api.stop());

  const body = (key = newKey()) => ({ title: `key ${++count}`, key });
  const add = async (user: TestUser, key?: string): Promise<Key> => {
    const { status, json } = await user.post('/user/keys', body(key));
    expect(status).to.equal(201);
    return json as Key;
  };

  describe('POST /admin/users/{username}/keys', () => {
    const path = '/admin/users/alice/keys';

    it('is 401 for nobody, 403 for others than administrators, 404 before the body is looked at', async () => {
      expect((await api.anonymous.post('/admin/users/nobody/keys', '{')).status).to.equal(401);
      expect((await alice.post('/admin/users/nobody/keys', '{')).status).to.equal(403);
      const token = await api.createToken(ADMIN.username, 'read:admin', 'write:user');
      expect((await token.post(path, body())).status).to.equal(403);
      expect((await api.admin.post('/admin/users/nobody/keys', '{')).status).to.equal(404);
    });

    it('adds a key, with its owner for an administrator', async () => {
      const line = newKey('alice@laptop');
      const { status, json } = await api.admin.post(path, {
        title: 'laptop',
        key: `${line}\n`,
        read_only: true,
      });
      expect(status).to.equal(201);
      const { id, fingerprint } = json as Key;
      const created = json as Key & { created_at: string };
      expect(fingerprint).to.match(/^SHA256:[A-Za-z0-9+/]{43}$/);
      expect(created.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(json).to.deep.equal({
        id,
        key: line,
        url: `${api.url()}/api/v1/user/keys/${id}`,
        title: 'laptop',
        fingerprint,
        created_at: created.created_at,
        updated_at: created.created_at,
        user: (await api.admin.get('/users/alice')).json,
        key_type: 'user',
      });
      expect((await api.admin.get(`/user/keys/${id}`)).json).to.deep.equal(json);
    });

    for (const [what, fields, field] of [
      ['no title', { title: undefined }, 'Title'],
      ['an empty title', { title: '' }, 'Title'],
      ['no key', { key: undefined }, 'Key'],
      ['what is no key', { key: 'ssh-ed25519 nonsense' }, 'Key'],
    ] as const)
      it(`is 422 for ${what}`, async () => {
        const { status, message } = await api.admin.post(path, { ...body(), ...fields });
        expect([status, message.split(':', 1)[0]]).to.deep.equal([422, `[${field}]`]);
      });

    it('is 422 for a key that anybody has, and for a title that the owner has', async () => {
      const { key } = await add(bob);
      expect((await api.admin.post(path, body(key))).message).to.match(/^\[Key\]: /);
      expect((await bob.post('/user/keys', body(key))).message).to.match(/^\[Key\]: /);
      expect((await api.admin.post(path, { title: 'same', key: newKey() })).status).to.equal(201);
      const again = await api.admin.post(path, { title: 'same', key: newKey() });
      expect([again.status, again.message.split(':', 1)[0]]).to.deep.equal([422, '[Title]']);
      expect((await bob.post('/user/keys', { title: 'same', key: newKey() })).status).to.equal(201);
    });

    it('is 422 for an organization', async () => {
      expect((await api.admin.post('/admin/users/some-people/keys', body())).status).to.equal(422);
    });

    it('gives nobody a key that a repository has, though the read models do not show that yet', async () => {
      await alice.post('/user/repos', { name: 'guarded' });
      const key = newKey();
      await bob.get('/user');
      await api.pauseProjector();
      try {
        expect((await alice.post('/repos/Alice/guarded/keys', body(key))).status).to.equal(201);
        expect((await bob.post('/user/keys', body(key))).status).to.equal(503);
      } finally {
        api.resumeProjector();
      }
      await api.shown();
      expect((await bob.post('/user/keys', body(key))).status).to.equal(422);
    });

    it('gives a key that many want at once to one of them', async () => {
      const key = newKey();
      const users = await Promise.all(Array.from({ length: 8 }, () => api.createUser(`racer${++count}`)));
      const answers = await Promise.all(
        [...users, ...users].map((user) => user.post('/user/keys', body(key))),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array<number>(15).fill(422)]);
    });
  });

  describe('DELETE /admin/users/{username}/keys/{id}', () => {
    it('is 401, 403 and 404 in that order', async () => {
      const { id } = await add(alice);
      expect((await api.anonymous.delete(`/admin/users/alice/keys/${id}`)).status).to.equal(401);
      expect((await alice.delete(`/admin/users/alice/keys/${id}`)).status).to.equal(403);
      for (const path of [
        'alice/keys/0',
        'alice/keys/x',
        'alice/keys/99999999999999999999',
        `nobody/keys/${id}`,
      ])
        expect((await api.admin.delete(`/admin/users/${path}`)).status).to.equal(404);
    });

    it('is 404 for a key of another user, which stays, even where the path names an administrator', async () => {
      const { id } = await add(alice);
      for (const name of ['bob', 'root'])
        expect((await api.admin.delete(`/admin/users/${name}/keys/${id}`)).status).to.equal(404);
      expect((await alice.get(`/user/keys/${id}`)).status).to.equal(200);
    });

    it('removes the key, which others may have then', async () => {
      const { id, key } = await add(alice);
      expect((await api.admin.delete(`/admin/users/ALICE/keys/${id}`)).status).to.equal(204);
      expect((await api.admin.delete(`/admin/users/alice/keys/${id}`)).status).to.equal(404);
      expect((await add(bob, key)).id).not.to.equal(id);
    });
  });

  describe('/user/keys', () => {
    it('are 401 for nobody and 403 for a token without the scope', async () => {
      const reader = await api.createToken('Alice', 'read:user');
      const { id } = await add(alice);
      for (const path of ['/user/keys', `/user/keys/${id}`]) {
        expect((await api.anonymous.get(path)).status).to.equal(401);
        expect((await reader.get(path)).status).to.equal(200);
      }
      expect((await api.anonymous.post('/user/keys', '{')).status).to.equal(401);
      expect((await api.anonymous.delete(`/user/keys/${id}`)).status).to.equal(401);
      expect((await reader.post('/user/keys', body())).status).to.equal(403);
      expect((await reader.delete(`/user/keys/${id}`)).status).to.equal(403);
    });

    it('are 422 where the body is bad', async () => {
      expect((await alice.post('/user/keys', {})).message).to.match(/^\[Title\]: Required/);
    });

    it('are listed by their owner, oldest first, in pages', async () => {
      const user = await api.createUser(`lister${++count}`);
      const keys = [await add(user), await add(user), await add(user)];
      const { json, headers } = await user.get('/user/keys');
      expect((json as Key[]).map(({ id }) => id)).to.deep.equal(keys.map(({ id }) => id));
      expect(headers.get('x-total-count')).to.equal('3');
      expect((json as object[])[0]).to.deep.include({
        key_type: 'user',
        user: (await user.get('/user')).json,
      });
      expect((await user.get('/user/keys?limit=2&page=2')).json).to.deep.equal([(json as Key[])[2]]);
    });

    it('are found by fingerprint, whoever has them, without their owner', async () => {
      const { fingerprint, id } = await add(alice);
      const found = (await bob.get(`/user/keys?fingerprint=${encodeURIComponent(fingerprint)}`))
        .json as object[];
      expect(found).to.have.length(1);
      expect(found[0]).to.include({ id, fingerprint });
      expect(found[0]).not.to.have.any.keys('user', 'key_type');
      const own = (await alice.get(`/user/keys?fingerprint=${encodeURIComponent(fingerprint)}`)).json;
      expect((own as object[])[0]).to.include({ key_type: 'user' });
    });

    it('are shown to others without their owner, and removed by the owner and administrators', async () => {
      const [one, two] = [await add(alice), await add(alice)];
      expect((await bob.get(`/user/keys/${one.id}`)).json).not.to.have.any.keys('user', 'key_type');
      expect((await bob.get('/user/keys/0')).status).to.equal(404);
      expect((await bob.delete(`/user/keys/${one.id}`)).status).to.equal(403);
      expect((await bob.delete('/user/keys/0')).status).to.equal(404);
      expect((await alice.delete(`/user/keys/${one.id}`)).status).to.equal(204);
      expect((await alice.delete(`/user/keys/${one.id}`)).status).to.equal(404);
      expect((await api.admin.delete(`/user/keys/${two.id}`)).status).to.equal(204);
    });
  });

  describe('GET /users/{username}/keys', () => {
    it('is 401 for nobody and 404 for nobody\u2019s name or whom one may not know', async () => {
      const hidden = await api.createUser(`hidden${++count}`, { visibility: 'private' });
      expect((await api.anonymous.get('/users/alice/keys')).status).to.equal(401);
      expect((await alice.get('/users/nobody/keys')).status).to.equal(404);
      expect((await alice.get(`/users/${hidden.username}/keys`)).status).to.equal(404);
      expect((await api.admin.get(`/users/${hidden.username}/keys`)).status).to.equal(200);
    });

    it('lists that user\u2019s keys, by fingerprint too', async () => {
      const user = await api.createUser(`other${++count}`);
      const [one, two] = [await add(user), await add(user)];
      const foreign = await add(alice);
      const list = async (query = '') => {
        const { json } = await bob.get(`/users/${user.username}/keys${query}`);
        return (json as Key[]).map(({ id }) => id);
      };
      expect(await list()).to.deep.equal([one.id, two.id]);
      expect(await list(`?fingerprint=${encodeURIComponent(two.fingerprint)}`)).to.deep.equal([two.id]);
      expect(await list(`?fingerprint=${encodeURIComponent(foreign.fingerprint)}`)).to.deep.equal([]);
    });
  });

  it('go with their user, and others may have them then', async () => {
    const user = await api.createUser(`leaver${++count}`);
    const { id, key } = await add(user);
    await api.admin.delete(`/admin/users/${user.username}`);
    expect((await bob.get(`/user/keys/${id}`)).status).to.equal(404);
    await add(bob, key);
  });
});
