import { expect } from 'chai';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import { createIn, repositoryOf } from './repository.js';

describe('deleting repositories', () => {
  let api: TestApi;
  let ann: TestUser;
  let ben: TestUser;

  before(async () => {
    api = await startApi();
    [ann, ben] = await Promise.all([api.createUser('ann'), api.createUser('ben')]);
  });
  after(() => api.stop());

  const usedBy = async (username: string) => {
    const { json } = await api.admin.get(`/admin/users/${username}/quota`);
    const { repos } = (json as { used: { size: { repos: { public: number; private: number } } } }).used.size;
    return repos.public + repos.private;
  };

  it('is for owners alone', async () => {
    await createIn(ann, '/user/repos', { name: 'open' });
    await createIn(ann, '/user/repos', { name: 'shut', private: true });
    await ann.put('/repos/ann/open/collaborators/ben', { permission: 'admin' });
    const statuses = [];
    for (const [client, repo] of [
      [api.anonymous, 'open'],
      [ben, 'open'],
      [api.anonymous, 'shut'],
      [ben, 'shut'],
      [ann, 'nothing'],
      [ann, 'open'],
      [api.admin, 'shut'],
    ] as const)
      statuses.push((await client.delete(`/repos/ann/${repo}`)).status);
    expect(statuses).to.deep.equal([401, 403, 404, 404, 404, 204, 204]);
  });

  it('frees the name, the bytes and the folder', async () => {
    const before = await usedBy('ann');
    const { id } = await createIn(ann, '/user/repos', { name: 'gone', auto_init: true });
    await ann.patch('/repos/ann/gone', { name: 'going', archived: true });
    expect(await usedBy('ann')).to.be.greaterThan(before);
    const shard = (id % 256).toString(16).padStart(2, '0');
    const folder = join(api.dataDir, 'repositories', shard, `${id}.git`);
    const onDisk = () =>
      access(folder).then(
        () => 'there',
        () => 'gone',
      );
    expect(await onDisk()).to.equal('there');
    expect((await ann.delete('/repos/ann/going')).status).to.equal(204);
    expect(await usedBy('ann')).to.equal(before);
    expect((await ann.get('/repos/ann/gone')).status).to.equal(404);
    expect((await ann.get(`/repositories/${id}`)).status).to.equal(404);
    expect(await onDisk()).to.equal('gone');
    const again = await createIn(ann, '/user/repos', { name: 'Going' });
    expect(again.id).to.be.greaterThan(id);
  });

  it('is done once for several at the same time, and leaves no note of work to be done', async () => {
    const { id } = await createIn(ann, '/user/repos', { name: 'thrice', auto_init: true });
    const answers = await Promise.all([1, 2, 3].map(() => ann.delete('/repos/ann/thrice')));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404]);
    expect(await readdir(join(api.dataDir, 'repositories', 'pending'))).to.not.include(String(id));
  });

  it('leaves forks, which are no forks any more', async () => {
    await createIn(ann, '/user/repos', { name: 'base', auto_init: true });
    await ben.post('/repos/ann/base/forks', {});
    expect(repositoryOf(await ann.get('/repos/ann/base')).forks_count).to.equal(1);
    await ann.delete('/repos/ann/base');
    expect(repositoryOf(await ben.get('/repos/ben/base'))).to.include({ fork: false, parent: null });
  });

  it('of a fork tells its base', async () => {
    await createIn(ann, '/user/repos', { name: 'other', auto_init: true });
    await ben.post('/repos/ann/other/forks', {});
    await ben.delete('/repos/ben/other');
    expect(repositoryOf(await ann.get('/repos/ann/other')).forks_count).to.equal(0);
    expect((await ben.post('/repos/ann/other/forks', {})).status).to.equal(202);
  });

  describe('with their owner', () => {
    it('happens to those of a user who is purged, and keeps the others', async () => {
      const cat = await api.createUser('cat');
      const { id } = await createIn(cat, '/user/repos', { name: 'owned' });
      const refused = await api.admin.delete('/admin/users/cat');
      expect([refused.status, refused.message]).to.deep.equal([422, '[Username]: owns repositories still']);
      expect((await createIn(cat, '/user/repos', { name: 'more' })).name).to.equal('more');
      await cat.post('/orgs', { username: 'cats' });
      await createIn(cat, '/orgs/cats/repos', { name: 'shared' });
      expect((await api.admin.delete('/admin/users/cat?purge=true')).status).to.equal(204);
      expect((await api.admin.get(`/repositories/${id}`)).status).to.equal(404);
      expect((await api.admin.get('/repos/cats/shared')).status).to.equal(404);
    });

    it('leaves none of their archives, whoever deletes them', async () => {
      const dan = await api.createUser('dan');
      for (const name of ['one', 'two']) {
        await createIn(dan, '/user/repos', { name, private: true, auto_init: true });
        expect((await dan.get(`/repos/dan/${name}/archive/main.zip`)).status).to.equal(200);
      }
      const kept = () => readdir(join(api.dataDir, 'cache', 'archives'));
      expect(await kept()).to.have.length(2);
      await dan.delete('/repos/dan/one');
      expect(await kept()).to.have.length(1);
      await api.admin.delete('/admin/users/dan?purge=true');
      expect(await kept()).to.have.length(0);
    });

    it('does not happen to those of an organization', async () => {
      await ann.post('/orgs', { username: 'acme' });
      await createIn(ann, '/orgs/acme/repos', { name: 'owned' });
      expect((await ann.delete('/orgs/acme')).status).to.equal(422);
      expect((await ann.delete('/repos/acme/owned')).status).to.equal(204);
      expect((await ann.delete('/orgs/acme')).status).to.equal(204);
    });
  });
});
