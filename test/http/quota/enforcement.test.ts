import { expect } from 'chai';
import { startApi, type TestApi, type TestUser } from '../../support/api.js';
import type { Client, TestAnswer } from '../../support/client.js';
import { repositoryOf } from '../repositories/repository.js';

/** A request that needs room, and whose room it is. */
interface Write {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: object;
  readonly charged: 'poor' | 'studio';
  /** What a caller without the right to it is told: 403, or 201 where it may do the same for itself. */
  readonly stranger: number;
}

describe('what needs room', () => {
  let api: TestApi;
  let poor: TestUser;
  let stranger: TestUser;
  let writer: TestUser;
  let studioId: number;
  let writes: readonly Write[];

  const made = async (answer: Promise<TestAnswer>, status = 201): Promise<TestAnswer> => {
    const done = await answer;
    expect(done.status, done.text).to.equal(status);
    return done;
  };
  const send = (client: Client, { method, path, body }: Write) => client.send(method, path, body);
  const content = Buffer.from('more').toString('base64');

  before(async () => {
    api = await startApi();
    poor = await api.createUser('poor');
    stranger = await api.createUser('stranger');
    writer = await api.createUser('writer');
    const studio = await made(poor.post('/orgs', { username: 'studio' }));
    studioId = (studio.json as { id: number }).id;
    await made(poor.post('/user/repos', { name: 'kept', auto_init: true }));
    await made(poor.put('/repos/poor/kept/collaborators/writer', { permission: 'write' }), 204);
    await made(api.admin.post('/user/repos', { name: 'base', auto_init: true, template: true }));
    await made(api.admin.post('/user/repos', { name: 'forked', auto_init: true }));
    await made(poor.post('/orgs/studio/repos', { name: 'kept' }));
    await made(poor.post('/repos/root/forked/forks', {}), 202);
    const { json } = await made(poor.get('/repos/poor/kept/contents/README.md'), 200);
    const { sha } = json as { sha: string };
    const group = { name: 'nothing', rules: [{ name: 'nothing', limit: 0, subjects: ['size:all'] }] };
    await made(api.admin.post('/admin/quota/groups', group));
    for (const name of ['poor', 'studio'])
      await made(api.admin.put(`/admin/quota/groups/nothing/users/${name}`), 204);

    const kept = '/repos/poor/kept';
    const source = { clone_addr: `${api.url()}/root/base.git`, repo_name: 'moved' };
    const post = (path: string, body: object, charged: Write['charged'], strangers = 403): Write => ({
      method: 'POST',
      path,
      body,
      charged,
      stranger: strangers,
    });
    writes = [
      post('/user/repos', { name: 'new' }, 'poor', 201),
      post('/org/studio/repos', { name: 'new' }, 'studio'),
      post('/orgs/studio/repos', { name: 'new' }, 'studio'),
      post('/repos/migrate', { ...source, repo_owner: 'studio' }, 'studio'),
      post('/repos/root/base/forks', { organization: 'studio' }, 'studio'),
      post('/repos/root/base/generate', { owner: 'studio', name: 'like', git_content: true }, 'studio'),
      post(`${kept}/branches`, { new_branch_name: 'more' }, 'poor'),
      post(`${kept}/tags`, { tag_name: 'v1' }, 'poor'),
      post(`${kept}/contents/more.txt`, { content }, 'poor'),
      { ...post(`${kept}/contents/README.md`, { content, sha }, 'poor'), method: 'PUT' },
      { ...post(`${kept}/contents/README.md`, { sha }, 'poor'), method: 'DELETE' },
      post(`${kept}/contents`, { files: [{ operation: 'create', path: 'more.txt', content }] }, 'poor'),
    ];
  });
  after(() => api.stop());

  it('is 413 with the account whose room it is, the right to it given', async () => {
    for (const write of writes) {
      const { status, json, text } = await send(poor, write);
      const about = `${write.method} ${write.path}: ${text}`;
      expect(status, about).to.equal(413);
      const user_id = write.charged === 'poor' ? poor.id : studioId;
      expect(json, about).to.include({ message: 'quota exceeded', user_id, username: write.charged });
    }
  });

  it('is refused for want of the right before, so that nobody learns how full others are', async () => {
    for (const write of writes) {
      const about = `${write.method} ${write.path}`;
      expect((await send(api.anonymous, write)).status, about).to.equal(401);
      expect((await send(stranger, write)).status, about).to.equal(write.stranger);
    }
  });

  it('counts for the owner, whoever asks: a collaborator, and a site administrator', async () => {
    const [{ path, body }] = writes.filter((write) => write.path.endsWith('/branches')) as [Write];
    for (const client of [writer, api.admin]) {
      const { status, json } = await client.post(path, body);
      expect(status).to.equal(413);
      expect(json).to.include({ user_id: poor.id, username: 'poor' });
    }
    const forPoor = await api.admin.post('/admin/users/poor/repos', { name: 'new' });
    expect(forPoor.status).to.equal(413);
    expect(forPoor.json).to.include({ user_id: poor.id, username: 'poor' });
  });

  it('is looked at before what is taken, and before what is to begin somewhere', async () => {
    const source = `${api.url()}/root/base.git`;
    for (const [path, body, client = poor] of [
      ['/user/repos', { name: 'kept' }],
      ['/org/studio/repos', { name: 'kept' }],
      ['/orgs/studio/repos', { name: 'kept' }],
      ['/admin/users/poor/repos', { name: 'kept' }, api.admin],
      ['/repos/root/base/forks', { name: 'kept' }],
      ['/repos/root/forked/forks', { name: 'second' }],
      ['/repos/migrate', { clone_addr: source, repo_name: 'kept' }],
      ['/repos/root/base/generate', { owner: 'studio', name: 'kept', git_content: true }],
      ['/repos/poor/kept/branches', { new_branch_name: 'more', old_ref_name: 'none' }],
      ['/repos/poor/kept/branches', { new_branch_name: 'more', old_branch_name: 'none' }],
      ['/repos/poor/kept/tags', { tag_name: 'v1', target: 'none' }],
    ] as const)
      expect((await client.post(path, body)).status, `${path} ${JSON.stringify(body)}`).to.equal(413);
  });

  it('is looked at after the rights, the number of repositories, the body and the archive', async () => {
    await made(api.admin.patch('/admin/users/poor', { max_repo_creation: 1 }), 200);
    expect((await poor.post('/user/repos', { name: 'kept' })).status).to.equal(403);
    await made(api.admin.patch('/admin/users/poor', { max_repo_creation: -1 }), 200);
    const wrong = { new_branch_name: 'more', old_branch_name: 'a b' };
    expect((await poor.post('/repos/poor/kept/branches', wrong)).status).to.equal(422);
    const shut = { rule_name: 'shut', enable_push: false };
    await made(poor.post('/repos/poor/kept/branch_protections', shut));
    expect((await poor.post('/repos/poor/kept/branches', { new_branch_name: 'shut' })).status).to.equal(403);
    expect((await poor.post('/user/repos', { name: 'two words' })).status).to.equal(422);
    expect((await poor.post('/repos/poor/kept/branches', {})).status).to.equal(422);
    expect((await poor.post('/repos/poor/none/branches', { new_branch_name: 'more' })).status).to.equal(404);
    await made(poor.patch('/repos/poor/kept', { archived: true }), 200);
    expect((await poor.post('/repos/poor/kept/branches', { new_branch_name: 'more' })).status).to.equal(423);
    await made(poor.patch('/repos/poor/kept', { archived: false }), 200);
  });

  it('is not what reads, deletes, changes settings or the visibility, or writes issues', async () => {
    const kept = '/repos/poor/kept';
    for (const path of [kept, `${kept}/branches`, '/user/quota']) await made(poor.get(path), 200);
    for (const changes of [{ description: 'full' }, { private: true }, { private: false }])
      await made(poor.patch(kept, changes), 200);
    await made(poor.post(`${kept}/issues`, { title: 'no room' }));
    await made(poor.post(`${kept}/issues/1/comments`, { body: 'none at all' }));
    await made(poor.post(`${kept}/labels`, { name: 'full', color: '#00aabb' }));
    const { json } = await made(poor.get(`${kept}/branches/main`), 200);
    const { commit } = json as { commit: { id: string } };
    await made(poor.post(`${kept}/statuses/${commit.id}`, { state: 'success' }));

    await made(api.admin.delete('/admin/quota/groups/nothing/users/poor'), 204);
    await made(poor.post(`${kept}/branches`, { new_branch_name: 'more' }));
    await made(poor.post(`${kept}/tags`, { tag_name: 'v1' }));
    const second = repositoryOf(await made(poor.post('/user/repos', { name: 'second' })));
    await made(api.admin.put('/admin/quota/groups/nothing/users/poor'), 204);
    await made(poor.delete(`${kept}/branches/more`), 204);
    await made(poor.delete(`${kept}/tags/v1`), 204);
    await made(poor.delete(`/repos/${second.full_name}`), 204);
  });
});
