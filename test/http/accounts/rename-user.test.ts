import { expect } from 'chai';
import { ADMIN, PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';

describe('POST /admin/users/{username}/rename', () => {
  let api: TestApi;
  let count = 0;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const fresh = (fields = {}): Promise<TestUser> => api.createUser(`User${++count}`, fields);
  const rename = (from: string, to: unknown) =>
    api.admin.post(`/admin/users/${from}/rename`, { new_username: to });

  it('is 401 for nobody, 403 for others than administrators, and 404 before the body is looked at', async () => {
    const user = await fresh();
    expect((await api.anonymous.post('/admin/users/nobody/rename', '{')).status).to.equal(401);
    expect((await user.post('/admin/users/nobody/rename', '{')).status).to.equal(403);
    const reader = await api.createToken(ADMIN.username, 'read:admin');
    expect((await reader.post(`/admin/users/${user.username}/rename`, {})).status).to.equal(403);
    expect((await rename('nobody', '')).status).to.equal(404);
  });

  for (const name of [undefined, '', 'a..b', 'x'.repeat(41), 'admin', 'me.keys', 'ROOT'])
    it(`is 422 for ${String(name).slice(0, 10)}`, async () => {
      const user = await fresh();
      const { status, message } = await rename(user.username, name);
      expect([status, message.split(':')[0]]).to.deep.equal([422, '[NewUsername]']);
      expect((await user.get('/user')).json).to.include({ login: user.username });
    });

  it('is 422 for an organization', async () => {
    const owner = await fresh();
    await owner.post('/orgs', { username: 'fixed' });
    expect((await rename('fixed', 'movable')).status).to.equal(422);
  });

  it('gives a name under which the user signs in from then on, and frees the old one', async () => {
    const user = await fresh();
    expect((await user.get('/user')).status, 'whose password is known from now on').to.equal(200);
    expect((await rename(user.username.toLowerCase(), 'Renamed')).status).to.equal(204);
    expect((await user.get('/user')).status).to.equal(401);
    const signedIn = await api.as({ username: 'renamed', password: PASSWORD }).get('/user');
    expect(signedIn.json).to.include({ login: 'Renamed', id: user.id });
    expect((await api.createUser(user.username, { email: 'heir@example.org' })).id).not.to.equal(user.id);
  });

  it('allows another letter case, without a redirect', async () => {
    const user = await fresh();
    expect((await rename(user.username, user.username.toUpperCase())).status).to.equal(204);
    const seen = await api.anonymous.get(`/users/${user.username}`);
    expect([seen.status, (seen.json as { login: string }).login]).to.deep.equal([
      200,
      user.username.toUpperCase(),
    ]);
  });

  it('redirects the old name with its query, on every route, until somebody takes it', async () => {
    const user = await fresh();
    const old = user.username;
    await rename(old, 'Moved');
    await rename('moved', 'Moved-2');
    const location = async (answer: Promise<{ status: number; headers: Headers }>) => {
      const { status, headers } = await answer;
      return [status, headers.get('location')];
    };
    const moved = '/api/v1/users/Moved-2';
    expect(await location(api.anonymous.get(`/users/${old.toUpperCase()}?a=b&c=%2F`))).to.deep.equal([
      307,
      `${moved}?a=b&c=%2F`,
    ]);
    expect(await location(api.anonymous.get('/users/moved'))).to.deep.equal([307, moved]);
    expect(await location(api.admin.patch(`/admin/users/${old}`, { full_name: 'x' }))).to.deep.equal([
      307,
      '/api/v1/admin/users/Moved-2',
    ]);
    expect(await location(api.admin.get(`/users/${old}/tokens`))).to.deep.equal([307, `${moved}/tokens`]);
    const self = api.as({ username: 'moved-2', password: PASSWORD });
    expect(await location(self.get(`/users/${old}/tokens`))).to.deep.equal([307, `${moved}/tokens`]);
    expect(await location(self.post('/users/MOVED/tokens', {}))).to.deep.equal([307, `${moved}/tokens`]);
    for (const client of [api.anonymous, await fresh()])
      expect((await client.get(`/users/${old}/tokens`)).status).to.be.oneOf([401, 403]);
    await api.admin.post('/admin/quota/groups', { name: old });
    expect(await location(api.admin.put(`/admin/quota/groups/${old}/users/${old}`))).to.deep.equal([
      307,
      `/api/v1/admin/quota/groups/${old}/users/Moved-2`,
    ]);
    const heir = await api.createUser(old, { email: 'other@example.org' });
    expect((await api.anonymous.get(`/users/${old}`)).json).to.include({ id: heir.id });
  });

  it('tells a token that reaches only what is public no new name of a user who is not', async () => {
    const user = await fresh();
    const old = user.username;
    await api.admin.patch(`/admin/users/${old}`, { visibility: 'limited' });
    await rename(old, 'withdrawn');
    const stranger = (await fresh()).username;
    for (const [scopes, status] of [
      [['read:user', 'read:repository'], 307],
      [['read:user', 'read:repository', 'public-only'], 403],
    ] as const) {
      const token = await api.createToken(stranger, ...scopes);
      for (const path of [`/users/${old}`, `/users/${old}/keys`, `/repos/${old}/none`])
        expect((await token.get(path)).status, `${String(scopes)} ${path}`).to.equal(status);
    }
    const narrow = await api.createToken(ADMIN.username, 'read:admin', 'public-only');
    expect((await narrow.get(`/admin/users/${old}/quota`)).status).to.equal(307);
  });

  it('ends the redirect when the user takes its old name back, or is deleted', async () => {
    const user = await fresh();
    expect((await rename(user.username, 'gone-out')).status).to.equal(204);
    expect((await rename('gone-out', user.username)).status).to.equal(204);
    expect((await api.anonymous.get(`/users/${user.username}`)).status).to.equal(200);
    expect((await api.anonymous.get('/users/gone-out')).status).to.equal(307);
    await api.admin.delete(`/admin/users/${user.username}`);
    expect((await api.anonymous.get('/users/gone-out')).status).to.equal(404);
  });

  it('ends the redirect for good when somebody takes the name, unless that one is forgotten', async () => {
    const takenBy = async (erase: boolean) => {
      const user = await fresh();
      await rename(user.username, `${user.username}-away`);
      await api.createUser(user.username, { email: `${user.username}@heir.example.org` });
      await api.admin.delete(`/admin/users/${user.username}?purge=true&erase=${erase}`);
      return (await api.anonymous.get(`/users/${user.username}`)).status;
    };
    expect([await takenBy(false), await takenBy(true)]).to.deep.equal([404, 307]);
  });

  it('tells nobody of a user whom one may not know', async () => {
    const user = await fresh({ visibility: 'private' });
    await rename(user.username, 'secretive');
    expect((await api.anonymous.get(`/users/${user.username}`)).status).to.equal(404);
    expect((await api.admin.get(`/users/${user.username}`)).status).to.equal(307);
  });

  it('redirects a private user for who shares an organization with it', async () => {
    const [owner, user] = [await fresh(), await fresh({ visibility: 'private' })];
    await owner.post('/orgs', { username: 'shared' });
    const made = await owner.post('/orgs/shared/teams', { name: 'all', units: ['repo.code'] });
    const { id: teamId } = made.json as { id: number };
    await api.admin.put(`/teams/${teamId}/members/${user.username}`);
    await rename(user.username, 'well-known');
    for (const [path, now] of [
      [`/users/${user.username}`, '/users/well-known'],
      [`/orgs/shared/members/${user.username}`, '/orgs/shared/members/well-known'],
      [`/orgs/shared/public_members/${user.username}`, '/orgs/shared/public_members/well-known'],
      [`/teams/${teamId}/members/${user.username}`, `/teams/${teamId}/members/well-known`],
    ] as const) {
      const { status, headers } = await owner.get(path);
      expect([status, headers.get('location')]).to.deep.equal([307, `/api/v1${now}`]);
    }
  });

  it('gives a name that many want at once to one of them', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => fresh()));
    const answers = await Promise.all(users.map(({ username }) => rename(username, 'Wanted')));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, ...Array<number>(7).fill(422)]);
  });
});
