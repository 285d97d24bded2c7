import { expect } from 'chai';
import { ADMIN, PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { appendedAfter } from '../../support/appended-after.js';
import type { Client } from '../../support/client.js';

describe('DELETE /admin/users/{username}', () => {
  let api: TestApi;
  let count = 0;

  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  const fresh = (fields = {}): Promise<TestUser> => api.createUser(`user${++count}`, fields);
  const remove = (name: string, query = '') => api.admin.delete(`/admin/users/${name}${query}`);
  const found = async (owner: TestUser): Promise<string> => {
    const name = `organization${++count}`;
    expect((await owner.post('/orgs', { username: name })).status).to.equal(201);
    return name;
  };
  const refusals = async (answer: ReturnType<typeof remove>) => {
    const { status, message } = await answer;
    return [status, message.split(':', 1)[0]];
  };

  it('is 401 for nobody, 403 for others than administrators, whatever the path, and 404 for nobody\u2019s name', async () => {
    const user = await fresh();
    expect((await api.anonymous.delete('/admin/users/nobody')).status).to.equal(401);
    expect((await user.delete('/admin/users/nobody')).status).to.equal(403);
    const reader = await api.createToken(ADMIN.username, 'read:admin');
    expect((await reader.delete(`/admin/users/${user.username}`)).status).to.equal(403);
    expect((await remove('nobody')).status).to.equal(404);
  });

  it('is 422 for the caller itself', async () => {
    expect(await refusals(remove('ROOT'))).to.deep.equal([422, '[Username]']);
  });

  it('is 422 for an organization', async () => {
    const name = await found(await fresh());
    expect(await refusals(remove(name))).to.deep.equal([422, '[Username]']);
    expect((await api.admin.get(`/orgs/${name}`)).status).to.equal(200);
  });

  it('is 503 where the read models may not show yet what stands in the way', async () => {
    const { log } = api.connections;
    for (const [path, body, type] of [
      ['/user/repos', { name: 'late' }, 'RepositoryCreated'],
      ['/orgs', { username: `organization${++count}` }, 'AccountCreated'],
    ] as const) {
      const user = await fresh();
      await user.get('/user');
      await api.pauseProjector();
      const before = await log.lastPosition();
      const making = user.post(path, body);
      await appendedAfter(log, before, type);
      const { status } = await remove(user.username);
      api.resumeProjector();
      expect([path, (await making).status, status]).to.deep.equal([path, 201, 503]);
      expect((await remove(user.username)).status).to.equal(422);
    }
  });

  it('ends the user, its password and its tokens at once', async () => {
    const user = await fresh();
    const token = await api.createToken(user.username, 'all');
    expect((await token.get('/user')).status).to.equal(200);
    expect((await remove(user.username.toUpperCase())).status).to.equal(204);
    expect((await user.get('/user')).status).to.equal(401);
    expect((await token.get('/user')).status).to.equal(401);
    expect((await api.admin.get(`/users/${user.username}`)).status).to.equal(404);
    expect((await remove(user.username)).status).to.equal(404);
    const { vault } = api.connections;
    expect(await vault.credentials.state(user.id)).to.equal(undefined);
    expect(await vault.tokens.find(token.token)).to.equal(undefined);
  });

  it('frees its name and all its addresses at once, for a user of another id', async () => {
    const user = await fresh();
    await api.admin.patch(`/admin/users/${user.username}`, { email: 'second@example.org' });
    await remove(user.username);
    const again = await api.createUser(user.username);
    expect(again.id).to.be.greaterThan(user.id);
    expect((await again.get('/user')).json).to.include({ email: `${user.username}@example.org` });
    await fresh({ email: 'second@example.org' });
  });

  it('takes it out of its quota groups, which the history goes on telling, with the names of the time', async () => {
    const user = await fresh();
    await api.admin.post('/admin/quota/groups', { name: 'left' });
    await api.admin.put(`/admin/quota/groups/left/users/${user.username}`);
    await remove(user.username);
    expect((await api.admin.get('/admin/quota/groups/left/users')).json).to.deep.equal([]);
    const { json } = await api.admin.get(`/admin/quota/history?user=${user.username}`);
    const changes = json as { type: string; actor: { name: string }; user: { id: number; name: string } }[];
    expect(changes.map(({ type, actor }) => [type, actor.name])).to.deep.equal([
      ['RemovedFromQuotaGroup', 'root'],
      ['AddedToQuotaGroup', 'root'],
    ]);
    expect(changes[1]?.user).to.deep.equal({ id: user.id, name: user.username });
  });

  it('is 422 for the last owner of an organization, who stays as it was', async () => {
    const user = await fresh();
    const name = await found(user);
    await api.admin.patch(`/admin/users/${user.username}`, { admin: true });
    expect(await refusals(remove(user.username))).to.deep.equal([422, '[Username]']);
    expect((await user.get('/user')).json).to.include({ is_admin: true });
    expect((await api.admin.get(`/orgs/${name}/members/${user.username}`)).status).to.equal(204);
    await found(user); // more may come to be its own
    expect((await api.admin.patch(`/admin/users/${user.username}`, { admin: false })).status).to.equal(200);
  });

  it('with purge deletes the organizations that nobody else owns, and leaves the others', async () => {
    const user = await fresh();
    const other = await fresh();
    const own = await found(user);
    const shared = await found(other);
    const teams = (await other.get(`/orgs/${shared}/teams`)).json as { id: number }[];
    expect((await other.put(`/teams/${teams[0]?.id}/members/${user.username}`)).status).to.equal(204);
    expect((await remove(user.username, '?purge=true')).status).to.equal(204);
    expect((await api.admin.get(`/orgs/${own}`)).status).to.equal(404);
    const members = (await other.get(`/orgs/${shared}/members`)).json as { login: string }[];
    expect(members.map(({ login }) => login)).to.deep.equal([other.username]);
  });

  for (const purge of [true, false])
    it(`${purge ? 'with' : 'without'} purge ${purge ? 'deletes' : 'leaves'} what the user wrote in issues`, async () => {
      const [user, other] = [await fresh(), await fresh()];
      await other.post('/user/repos', { name: 'talk' });
      const issues = `/repos/${other.username}/talk/issues`;
      const open = async (client: Client, title: string) =>
        ((await client.post(issues, { title })).json as { number: number }).number;
      const [own, others] = [await open(user, 'mine'), await open(other, 'theirs')];
      await other.post(`${issues}/${own}/comments`, { body: 'on mine' });
      await other.post(`${issues}/${others}/comments`, { body: 'stays' });
      await user.post(`${issues}/${others}/comments`, { body: 'of the user' });

      expect((await remove(user.username, purge ? '?purge=true' : '')).status).to.equal(204);
      expect((await other.get(`${issues}/${own}`)).status).to.equal(purge ? 404 : 200);
      const comments = (await other.get(`${issues}/${others}/comments`)).json as {
        body: string;
        user: { login: string };
      }[];
      expect(comments.map(({ body, user: { login } }) => [body, login])).to.deep.equal([
        ['stays', other.username],
        ...(purge ? [] : [['of the user', 'Ghost']]),
      ]);
      expect((await other.get(`${issues}/${others}`)).json).to.include({ comments: comments.length });
    });

  it('lets a mere member or one of several owners go', async () => {
    const user = await fresh();
    const other = await fresh();
    const shared = await found(other);
    const teams = (await other.get(`/orgs/${shared}/teams`)).json as { id: number }[];
    await other.put(`/teams/${teams[0]?.id}/members/${user.username}`);
    expect((await remove(user.username)).status).to.equal(204);
  });

  it('leaves an administrator when the last two delete each other', async () => {
    const other = await fresh();
    await api.admin.patch(`/admin/users/${other.username}`, { admin: true });
    const another = await api.another();
    const deputy = another.as({ username: other.username, password: PASSWORD });
    const answers = await Promise.all([remove(other.username), deputy.delete('/admin/users/root')]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).to.have.length(1);
    const survivor = statuses[0] === 204 ? api.admin : deputy;
    expect((await survivor.get('/user')).json).to.include({ is_admin: true });
  });
});
