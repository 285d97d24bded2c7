import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { VISIBLE_WITHIN_MS } from '../../../src/read-your-writes/read-your-writes.js';
import { gitWorld, type GitWorld } from '../../git-http/world.js';
import { PASSWORD } from '../../support/api.js';
import { meanwhile } from '../../support/meanwhile.js';
import { found, joined, statuses, team } from '../organizations/world.js';
import { done, firstHash, peopleApi, repository } from './people.js';

describe('POST /repos/{owner}/{repo}/generate', () => {
  const world = peopleApi();
  const path = '/repos/owner/pattern/generate';
  let count = 0;
  const asked = (fields: object = {}) => ({
    owner: 'stranger',
    name: `made-${(count += 1)}`,
    git_content: true,
    ...fields,
  });

  before(async () => {
    const { owner } = world();
    const body = {
      name: 'pattern',
      template: true,
      auto_init: true,
      license: 'MIT',
      description: 'a pattern',
    };
    await repository(owner, '/user/repos', body);
    await done(owner.put('/repos/owner/pattern/topics', { topics: ['a', 'b'] }));
    await done(
      owner.post('/repos/owner/pattern/branch_protections', {
        rule_name: 'main',
        enable_push: true,
        push_whitelist_usernames: ['writer'],
      }),
    );
  });

  it('is for whoever is signed in and sees the template', async () => {
    const { api, wrong, stranger } = world();
    expect(await statuses([api.anonymous, wrong], (client) => client.post(path, '{'))).to.deep.equal([
      401, 401,
    ]);
    expect((await stranger.post('/repos/owner/shut/generate', '{')).status).to.equal(404);
  });

  it('takes the files in one commit of its own, and no history', async () => {
    const { api, stranger, git } = world();
    const body = asked({ description: 'mine', default_branch: 'trunk' });
    const answer = await stranger.post(path, body);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.json).to.deep.include({
      full_name: `stranger/${body.name}`,
      description: 'mine',
      default_branch: 'trunk',
      fork: false,
      template: false,
      empty: false,
      topics: [],
      permissions: { admin: true, push: true, pull: true },
    });
    expect(await firstHash(api, `stranger/${body.name}`, 'trunk')).to.not.equal(
      await firstHash(api, 'owner/pattern'),
    );
    const { id } = answer.json as { id: number };
    expect(await git(id, 'ls-tree', '--name-only', 'trunk')).to.equal('LICENSE\nREADME.md');
    expect(await git(id, 'rev-list', '--count', '--all')).to.equal('1');
    expect(await git(id, 'fsck', '--strict')).to.equal('');
  });

  it('takes topics and rules where they are asked for, and nothing else', async () => {
    const { stranger } = world();
    const body = asked({ git_content: false, topics: true, protected_branch: true });
    const { status, json } = await stranger.post(path, body);
    expect(status).to.equal(201);
    expect(json).to.deep.include({ topics: ['a', 'b'], empty: true });
    const rules = await done(stranger.get(`/repos/stranger/${body.name}/branch_protections`));
    expect(rules).to.have.length(1);
    expect((rules as object[])[0]).to.deep.include({
      rule_name: 'main',
      push_whitelist_usernames: ['writer'],
    });
  });

  it('takes of rules no users that the caller may not know of', async () => {
    const { api, owner, stranger } = world();
    await api.createUser('recluse', { visibility: 'private' });
    const rule = { rule_name: 'secret', merge_whitelist_usernames: ['recluse', 'writer'] };
    await done(api.admin.post('/repos/owner/pattern/branch_protections', rule));
    const takenBy = async (client: typeof owner, name = client.username) => {
      const body = asked({ owner: name, git_content: false, protected_branch: true });
      await repository(client, path, body);
      const rules = await done(client.get(`/repos/${name}/${body.name}/branch_protections/secret`));
      return (rules as typeof rule).merge_whitelist_usernames;
    };
    expect(await takenBy(stranger)).to.deep.equal(['writer']);
    await joined(owner, world().readersId, await api.createUser('hermit'));
    await done(api.admin.patch('/admin/users/hermit', { visibility: 'private' }));
    const secret = '/repos/owner/pattern/branch_protections/secret';
    await done(owner.patch(secret, { merge_whitelist_usernames: ['hermit'] }));
    expect(await takenBy(stranger)).to.deep.equal([]);
    expect(await takenBy(owner), 'who shares an organization').to.deep.equal(['hermit']);
    await done(owner.delete(secret));
  });

  it('is 404 for nobody, 403 for others, and lets those in who may create', async () => {
    const { owner, stranger } = world();
    await found(owner, { username: 'hidden', visibility: 'private' });
    for (const [name, status] of [
      ['nobody-at-all', 404],
      ['hidden', 404],
      ['reader', 403],
      ['acme', 403],
    ] as const)
      expect((await stranger.post(path, asked({ owner: name }))).status, name).to.equal(status);
    expect((await owner.post(path, asked({ owner: 'acme' }))).status).to.equal(201);
    const may = await world().api.createUser('may-generate');
    const makers = { name: 'makers', units: ['repo.code'], can_create_org_repo: true };
    await joined(owner, await team(owner, 'acme', makers), may);
    expect((await may.post(path, asked({ owner: 'acme' }))).status).to.equal(201);
  });

  it('is 422 for what is no template, takes nothing, or cannot be, and 409 for a taken name', async () => {
    const { stranger } = world();
    expect((await stranger.post('/repos/owner/open/generate', asked())).status).to.equal(422);
    for (const fields of [
      { git_content: false },
      { name: 'a b' },
      { name: undefined },
      { owner: undefined },
      { default_branch: 'a..b' },
    ])
      expect((await stranger.post(path, asked(fields))).status, JSON.stringify(fields)).to.equal(422);
    const body = asked();
    expect((await stranger.post(path, body)).status).to.equal(201);
    expect((await stranger.post(path, body)).status).to.equal(409);
  });

  it('is of what is a template by the log, though the read models are late', async () => {
    const { api, owner, stranger } = world();
    await repository(owner, '/user/repos', { name: 'becoming', auto_init: true });
    await api.pauseProjector();
    const becoming = owner.patch('/repos/owner/becoming', { template: true });
    await sleep(VISIBLE_WITHIN_MS);
    const generating = stranger.post('/repos/owner/becoming/generate', asked());
    await sleep(VISIBLE_WITHIN_MS);
    api.resumeProjector();
    const { status, text } = await generating;
    expect(status, text).to.equal(201);
    await done(becoming);
  });

  it('is 404 where the template is deleted while its files are read', async () => {
    const { api, owner, stranger, git } = world();
    const { id } = await repository(owner, '/user/repos', { name: 'going', template: true, auto_init: true });
    const folder = await git(id, 'rev-parse', '--absolute-git-dir');
    const elsewhere = (await api.another()).as({ username: 'owner', password: PASSWORD });
    const deleteHalf = async () => {
      await done(elsewhere.delete('/repos/owner/going'));
      await mkdir(folder);
      await git(id, 'init', '--bare');
    };
    const request = () => stranger.post('/repos/owner/going/generate', asked());
    const { status, text } = await meanwhile('ClaimMade', deleteHalf, request);
    await rm(folder, { recursive: true });
    expect(status, text).to.equal(404);
  });

  it('takes labels when asked, in their order, and none of issues that the caller may not see', async () => {
    const { owner, stranger } = world();
    await repository(owner, '/user/repos', { name: 'labelled', template: true, auto_init: true });
    const label = { name: 'kind/bug', color: 'ee0701', description: 'wrong', exclusive: true };
    await done(owner.post('/repos/owner/labelled/labels', label));
    await done(owner.post('/repos/owner/labelled/labels', { name: 'a', color: '#aabbcc' }));
    const labelsOf = async (name: string) =>
      (await done(stranger.get(`/repos/stranger/${name}/labels`))) as { id: number; name: string }[];
    const generate = async (fields: object) => {
      const body = asked({ git_content: undefined, ...fields });
      await repository(stranger, '/repos/owner/labelled/generate', body);
      return labelsOf(body.name);
    };
    const taken = await generate({ labels: true });
    expect(taken.map(({ name }) => name)).to.have.members(['kind/bug', 'a']);
    expect(taken.find(({ name }) => name === 'kind/bug')).to.include(label);
    expect(await generate({ git_content: true })).to.deep.equal([]);
    await done(owner.patch('/repos/owner/labelled', { has_issues: false }));
    expect(await generate({ labels: true })).to.deep.equal([]);
  });

  it('is 403 for what is to be private where the token reaches only what is public', async () => {
    const { api, stranger } = world();
    const narrow = await api.createToken('stranger', 'public-only', 'all');
    const body = asked({ private: true });
    expect((await narrow.post(path, body)).status).to.equal(403);
    expect((await stranger.get(`/repos/stranger/${body.name}`)).status, 'before anything is done').to.equal(
      404,
    );
    expect((await narrow.post(path, asked())).status).to.equal(201);
  });

  it('is 413 where the owner has no room', async () => {
    const { api } = world();
    const poor = await api.createUser('poor');
    const rules = [{ name: 'tiny', limit: 1, subjects: ['size:all'] }];
    await done(api.admin.post('/admin/quota/groups', { name: 'tiny', rules }));
    await done(api.admin.put('/admin/quota/groups/tiny/users/poor'));
    const body = asked({ owner: 'poor' });
    expect((await poor.post(path, body)).status).to.equal(413);
    expect((await poor.get(`/repos/poor/${body.name}`)).status).to.equal(404);
  });
});

describe('POST /repos/{owner}/{repo}/generate of what was pushed', () => {
  let world: GitWorld;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());

  it('takes the name of the default branch, though the API would not make such a one', async () => {
    const { owner, client } = world;
    const branch = `feature/${'x'.repeat(120)}`;
    const template = await world.create('pattern');
    await client.working('pattern');
    await client.git(['push', '--quiet', world.url(template, 'owner'), `main:refs/heads/${branch}`], {
      in: 'pattern',
    });
    await done(owner.patch('/repos/owner/pattern', { template: true }));
    const asked = (fields: object) =>
      owner.post('/repos/owner/pattern/generate', { owner: 'owner', ...fields });
    expect((await asked({ name: 'full', git_content: true })).json).to.include({ default_branch: branch });
    expect((await asked({ name: 'bare', topics: true })).json).to.include({ default_branch: branch });
    expect((await owner.post('/repos/owner/bare/contents/a', { content: '' })).status).to.equal(201);
    expect((await asked({ name: 'named', git_content: true, default_branch: branch })).status).to.equal(422);
  });
});
