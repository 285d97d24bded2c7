import { expect } from 'chai';
import { rename } from 'node:fs/promises';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { pushedSite, type Site } from './site.js';

interface BranchJson {
  readonly name: string;
  readonly commit: { readonly id: string; readonly author: object; readonly message: string };
  readonly user_can_push: boolean;
}

describe('branches over HTTP', () => {
  let world: GitWorld;
  let site: Site;

  before(async () => {
    world = await gitWorld();
    site = await pushedSite(world, 'site');
  });
  after(() => world.stop());

  const names = (json: unknown) => (json as BranchJson[]).map(({ name }) => name);

  it('are listed newest tip first, then by name', async () => {
    await site.git('branch', 'old', site.first);
    await site.git('branch', 'another');
    await site.git('push', '--quiet', 'origin', 'old', 'another');
    const { status, json, headers } = await world.api.anonymous.get(`${site.path}/branches`);
    expect(status).to.equal(200);
    expect(headers.get('x-total-count')).to.equal('4');
    expect(names(json).slice(0, 3).sort()).to.deep.equal(['another', 'feature/one', 'main']);
    expect(names(json)).to.include('old');
  });

  it('are paged', async () => {
    const { json, headers } = await world.api.anonymous.get(`${site.path}/branches?limit=3&page=2`);
    expect(names(json)).to.have.length(1);
    expect(headers.get('link')).to.include('rel="prev"');
    const beyond = await world.api.anonymous.get(`${site.path}/branches?page=9`);
    expect([beyond.json, beyond.headers.get('x-total-count')]).to.deep.equal([[], '4']);
  });

  it('are none in an empty repository', async () => {
    const { name } = await world.create('empty');
    const { status, json, headers } = await world.api.anonymous.get(`/repos/owner/${name}/branches`);
    expect([status, json, headers.get('x-total-count')]).to.deep.equal([200, [], '0']);
    expect((await world.api.anonymous.get(`/repos/owner/${name}/branches/main`)).status).to.equal(404);
  });

  it('tell their tip, with the accounts of its people', async () => {
    const ada = await world.api.createUser('ada');
    const { status, json } = await world.owner.get(`${site.path}/branches/feature/one`);
    expect(status).to.equal(200);
    expect(json).to.deep.include({
      name: 'feature/one',
      protected: false,
      required_approvals: 0,
      enable_status_check: false,
      status_check_contexts: [],
      user_can_push: true,
      user_can_merge: true,
      effective_branch_protection_name: '',
    });
    const { commit } = json as { commit: Record<string, unknown> };
    expect(commit).to.deep.include({
      id: site.head,
      message: 'second\n',
      url: `${world.api.url()}/owner/site/commit/${site.head}`,
      author: { name: 'Ada', email: 'ada@example.org', username: ada.username },
      added: null,
    });
    expect(commit.verification).to.deep.include({ verified: false, reason: 'gpg.error.not_signed_commit' });
    expect(commit.timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('are found by their names with slashes, raw or encoded, and by nothing shorter or longer', async () => {
    const { anonymous } = world.api;
    expect((await anonymous.get(`${site.path}/branches/feature%2Fone`)).status).to.equal(200);
    for (const name of [
      'feature',
      'feature/one/two',
      'featur',
      'FEATURE/one',
      site.head,
      'v1',
      '--all',
      'a..b',
    ])
      expect((await anonymous.get(`${site.path}/branches/${name}`)).status, name).to.equal(404);
  });

  it('say what the caller may: nobody nothing, readers nothing, by the rule where one holds', async () => {
    const canPush = async (who: { get: typeof world.owner.get }, name: string) =>
      ((await who.get(`${site.path}/branches/${name}`)).json as BranchJson).user_can_push;
    expect(await canPush(world.api.anonymous, 'main')).to.equal(false);
    expect(await canPush(world.reader, 'main')).to.equal(false);
    const rule = { rule_name: 'feature/*', enable_push: false, required_approvals: 2 };
    expect((await world.owner.post(`${site.path}/branch_protections`, rule)).status).to.equal(201);
    expect(await canPush(world.owner, 'feature/one')).to.equal(false);
    const { json } = await world.owner.get(`${site.path}/branches/feature/one`);
    expect(json).to.include({
      protected: true,
      required_approvals: 2,
      effective_branch_protection_name: 'feature/*',
    });
    const { json: seen } = await world.reader.get(`${site.path}/branches/feature/one`);
    expect(seen).to.include({ protected: true, effective_branch_protection_name: '' });
  });

  it('need no git, no more than the repository, lists of it and what was reported: nothing looks at the disk', async () => {
    const gone = await pushedSite(world, 'gone');
    const reported = `${gone.path}/statuses/${gone.head}`;
    expect((await world.owner.post(reported, { state: 'success' })).status).to.equal(201);
    await rename(world.disk.pathOf(gone.repository.id), `${world.disk.pathOf(gone.repository.id)}.aside`);
    const words = ['main', 'v1', 'light', gone.head, gone.first];
    const below = ['branches', 'branches/main', ...words.map((word) => `commits/${word}/status`)];
    const lists = ['/repos/search?q=gone', '/users/owner/repos', '/user/repos'];
    for (const path of [gone.path, reported, ...below.map((part) => `${gone.path}/${part}`), ...lists])
      expect((await world.owner.get(path)).status, path).to.equal(200);
  });

  it('of a private repository are 404 to strangers', async () => {
    const hidden = await pushedSite(world, 'hidden', true);
    for (const who of [world.api.anonymous, world.reader])
      for (const path of ['branches', 'branches/main'])
        expect((await who.get(`${hidden.path}/${path}`)).status).to.equal(404);
    expect((await world.owner.get(`${hidden.path}/branches/main`)).status).to.equal(200);
  });
});
