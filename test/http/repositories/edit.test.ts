import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { clientOf } from '../../support/client.js';
import { createIn, repositoryOf } from './repository.js';

const DYING = fileURLToPath(new URL('../../push/doomed-process.js', import.meta.url));

/** Settings of a repository that are on or off. */
const FLAGS = [
  'has_wiki',
  'has_projects',
  'has_releases',
  'has_packages',
  'has_actions',
  'globally_editable_wiki',
  'ignore_whitespace_conflicts',
  'allow_merge_commits',
  'allow_rebase',
  'allow_rebase_explicit',
  'allow_squash_merge',
  'allow_fast_forward_only_merge',
  'allow_rebase_update',
  'default_delete_branch_after_merge',
  'default_allow_maintainer_edit',
];

describe('editing repositories', () => {
  let api: TestApi;
  let ann: TestUser;
  let ben: TestUser;

  before(async () => {
    api = await startApi();
    [ann, ben] = await Promise.all([api.createUser('ann'), api.createUser('ben')]);
    await createIn(ann, '/user/repos', { name: 'open', auto_init: true });
    await createIn(ann, '/user/repos', { name: 'shut', private: true });
  });
  after(() => api.stop());

  it('is for administrators of the repository', async () => {
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
      statuses.push((await client.patch(`/repos/ann/${repo}`, { website: 'https://example.org' })).status);
    expect(statuses).to.deep.equal([401, 403, 404, 404, 404, 200, 200]);
  });

  it('changes what is sent and nothing else', async () => {
    const before = await createIn(ann, '/user/repos', { name: 'whole', description: 'old' });
    const changes = {
      description: 'new',
      website: 'https://example.org/whole',
      template: true,
      has_projects: false,
      default_merge_style: 'squash',
      allow_rebase: false,
    };
    const answer = await ann.patch('/repos/ann/whole', changes);
    const after = repositoryOf(answer);
    expect(after).to.deep.equal({ ...before, ...changes, updated_at: after.updated_at });
    expect(repositoryOf(await ann.patch('/repos/ann/whole', {}))).to.deep.equal(after);
    expect(repositoryOf(await ann.get('/repos/ann/whole'))).to.deep.equal(after);
  });

  it('changes each setting by itself', async () => {
    let before = await createIn(ann, '/user/repos', { name: 'settings' });
    const changed = async (what: string, changes: object, shown: object = changes) => {
      const after = repositoryOf(await ann.patch('/repos/ann/settings', changes));
      expect(after, what).to.deep.equal({ ...before, ...shown, updated_at: after.updated_at });
      before = after;
    };
    for (const flag of FLAGS) await changed(flag, { [flag]: !before[flag] });
    for (const flag of Object.keys(before.internal_tracker as object)) {
      const change = { [flag]: false };
      const internal_tracker = { ...(before.internal_tracker as object), ...change };
      await changed(flag, { internal_tracker: change }, { internal_tracker });
    }
    await changed('wiki_branch', { wiki_branch: 'pages' });
    await changed('default_merge_style', { default_merge_style: 'rebase' });
  });

  it('puts trackers and wikis elsewhere and back', async () => {
    await createIn(ann, '/user/repos', { name: 'units' });
    const patch = async (body: object) => repositoryOf(await ann.patch('/repos/ann/units', body));
    const external = {
      external_tracker_url: 'https://tracker.example.org',
      external_tracker_format: 'https://tracker.example.org/{user}/{repo}/{index}',
      external_tracker_style: 'numeric',
      external_tracker_regexp_pattern: '',
    };
    const wiki = { external_wiki_url: 'https://wiki.example.org' };
    const moved = await patch({
      has_issues: true,
      external_tracker: external,
      has_wiki: true,
      external_wiki: wiki,
    });
    expect(moved).to.deep.include({
      has_issues: true,
      external_tracker: external,
      has_wiki: true,
      external_wiki: wiki,
    });
    expect(moved).not.to.have.property('internal_tracker');
    expect(await patch({ has_issues: true })).to.deep.include({ external_tracker: external });
    expect(await patch({ has_issues: false, has_wiki: false })).to.include({
      has_issues: false,
      has_wiki: false,
    });
    const back = await patch({ has_issues: true, internal_tracker: { enable_time_tracker: false } });
    expect(back.internal_tracker).to.include({ enable_time_tracker: false, enable_issue_dependencies: true });
    const off = await patch({ has_pull_requests: false });
    expect(off).to.include({
      has_pull_requests: false,
      allow_merge_commits: false,
      allow_squash_merge: false,
    });
  });

  for (const [what, body] of [
    ['a name that cannot be', { name: 'a b' }],
    ['no name at all', { name: '' }],
    ['a reserved name', { name: '-' }],
    ['a name that is taken', { name: 'OPEN' }],
    ['a tracker that is no URL', { has_issues: true, external_tracker: { external_tracker_url: 'nowhere' } }],
    [
      'a tracker far away',
      { external_tracker: { external_tracker_url: `https://a.b/${'c'.repeat(2_048)}` } },
    ],
    [
      'a format that is no URL',
      { external_tracker: { external_tracker_url: 'https://a.b', external_tracker_format: 'x' } },
    ],
    [
      'a format with half a placeholder',
      {
        external_tracker: {
          external_tracker_url: 'https://a.b',
          external_tracker_format: 'https://a.b/{user/{index}',
        },
      },
    ],
    ['a wiki that is no URL', { has_wiki: true, external_wiki: { external_wiki_url: 'nowhere' } }],
    ['a default branch that no branch can be', { default_branch: 'a..b' }],
    ['a branch of a wiki that no branch can be', { wiki_branch: 'a..b' }],
    ['an unknown merge style', { default_merge_style: 'octopus' }],
    ['a website of 1,025 characters', { website: `https://example.org/${'a'.repeat(1005)}` }],
  ] as const)
    it(`refuses ${what}`, async () => {
      expect((await ann.patch('/repos/ann/shut', body)).status).to.equal(422);
    });

  it('changes the default branch to one that is there, or to any while there is none', async () => {
    expect((await ann.patch('/repos/ann/open', { default_branch: 'nowhere' })).status).to.equal(422);
    expect(await readdir(join(api.dataDir, 'repositories', 'pending'))).to.deep.equal([]);
    expect((await ann.patch('/repos/ann/open', { default_branch: 'main' })).status).to.equal(200);
    const empty = await ann.patch('/repos/ann/shut', { default_branch: 'trunk' });
    expect([empty.status, repositoryOf(empty).default_branch]).to.deep.equal([200, 'trunk']);
  });

  describe('to another default branch, where a process is killed', () => {
    const head = async (repo: string) => {
      const url = `${api.url()}/ann/${repo}.git/info/refs?service=git-upload-pack`;
      return /symref=HEAD:refs\/heads\/(\S+)/.exec(await (await fetch(url)).text())?.[1];
    };
    /** Gives the folder of a new repository with another branch. */
    const branched = async (name: string) => {
      const { id } = await createIn(ann, '/user/repos', { name, auto_init: true, default_branch: 'main' });
      await ann.post(`/repos/ann/${name}/branches`, { new_branch_name: 'other' });
      const folder = join(api.dataDir, 'repositories');
      const paths = await readdir(folder, { recursive: true });
      return join(folder, paths.find((path) => path.endsWith(`/${id}.git`)) ?? '');
    };

    it('after that is known, has HEAD name it for whoever clones next', async () => {
      await branched('killed');
      const env = { PATH: process.env.PATH, ...api.environment, DIES: 'after RepositoryEdited' };
      const child = fork(DYING, [], { env, silent: true });
      const [{ address }] = (await once(child, 'message')) as [{ address: string }];
      const gone = once(child, 'exit');
      const client = clientOf(() => address, { username: 'ann', password: PASSWORD });
      await client.patch('/repos/ann/killed', { default_branch: 'other' }).catch(() => undefined);
      await gone;
      await api.shown();
      expect(repositoryOf(await ann.get('/repos/ann/killed')).default_branch).to.equal('other');
      expect(await head('killed')).to.equal('other');
    });

    it('while it writes HEAD, lets others change it', async () => {
      const folder = await branched('locked');
      await writeFile(join(folder, 'HEAD.lock'), 'ref: refs/heads/other\n');
      expect((await ann.patch('/repos/ann/locked', { default_branch: 'other' })).status).to.equal(200);
      expect(await head('locked')).to.equal('other');
    });
  });

  it('counts the bytes of the name of the default branch', async () => {
    const usedWith = async (branch: string) => {
      expect((await ann.patch('/repos/ann/shut', { default_branch: branch })).status).to.equal(200);
      const { json } = await ann.get('/user/quota');
      return (json as { used: { size: { repos: { private: number } } } }).used.size.repos.private;
    };
    expect((await usedWith('a-longer-name')) - (await usedWith('main'))).to.equal(9);
  });

  it('archives and brings back, also what is empty', async () => {
    const archived = repositoryOf(await ann.patch('/repos/ann/shut', { archived: true }));
    expect(archived.archived).to.equal(true);
    expect(archived.archived_at).not.to.equal('1970-01-01T00:00:00Z');
    const back = repositoryOf(await ann.patch('/repos/ann/shut', { archived: false }));
    expect(back).to.include({ archived: false, archived_at: '1970-01-01T00:00:00Z' });
  });

  it('leaves the settings of what is archived alone, until it is brought back', async () => {
    await createIn(ann, '/user/repos', { name: 'kept', description: 'old' });
    const patch = (body: object) => ann.patch('/repos/ann/kept', body);
    await patch({ archived: true });
    for (const body of [{ description: 'new' }, { name: 'other' }, { private: true }, { has_wiki: false }])
      expect((await patch(body)).status, JSON.stringify(body)).to.equal(423);
    expect((await patch({ archived: true, description: 'old' })).status).to.equal(200);
    const back = await patch({ archived: false, description: 'new' });
    expect([back.status, repositoryOf(back).description]).to.deep.equal([200, 'new']);
  });

  describe('a name', () => {
    it('is given by several at once one after the other', async () => {
      await createIn(ann, '/user/repos', { name: 'many' });
      const names = Array.from({ length: 6 }, (_, index) => `many-${index}`);
      const renames = names.map((name) => ann.patch('/repos/ann/many', { name }));
      const statuses = (await Promise.all(renames)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 307)).to.deep.equal([]);
      const found = await Promise.all(names.map((name) => ann.get(`/repos/ann/${name}`)));
      expect(found.filter(({ status }) => status === 200)).to.have.lengthOf(1);
    });

    it('changes with a redirect, until another takes the old one', async () => {
      await createIn(ann, '/user/repos', { name: 'before' });
      const renamed = repositoryOf(await ann.patch('/repos/ann/before', { name: 'after' }));
      expect(renamed.full_name).to.equal('ann/after');
      const sent = await ann.get('/repos/ann/before?x=1');
      expect([sent.status, sent.headers.get('location')]).to.deep.equal([307, '/api/v1/repos/ann/after?x=1']);
      expect((await ann.patch('/repos/ann/AFTER', { name: 'After' })).status).to.equal(200);
      const other = await createIn(ann, '/user/repos', { name: 'before' });
      expect(repositoryOf(await ann.get('/repos/ann/before')).id).to.equal(other.id);
      expect((await createIn(ben, '/user/repos', { name: 'after' })).name).to.equal('after');
    });

    it('is no clue to who may not know of the repository', async () => {
      await createIn(ann, '/user/repos', { name: 'veiled', private: true });
      await ann.patch('/repos/ann/veiled', { name: 'unveiled' });
      const narrow = await api.createToken('ann', 'public-only', 'read:repository');
      expect((await narrow.get('/repos/ann/veiled')).status).to.equal(403);
      const nobodys = await ben.get('/repos/ann/nobodys');
      const veiled = await ben.get('/repos/ann/veiled');
      expect([veiled.status, veiled.text]).to.deep.equal([404, nobodys.text]);
    });

    it('of the owner changes with a redirect too', async () => {
      const cat = await api.createUser('cat');
      await createIn(cat, '/user/repos', { name: 'old' });
      await cat.patch('/repos/cat/old', { name: 'new' });
      await api.admin.post('/admin/users/cat/rename', { new_username: 'lion' });
      const first = await ann.get('/repos/cat/old');
      expect([first.status, first.headers.get('location')]).to.deep.equal([307, '/api/v1/repos/lion/old']);
      const second = await ann.get('/repos/lion/old');
      expect(second.headers.get('location')).to.equal('/api/v1/repos/lion/new');
      expect(repositoryOf(await ann.get('/repos/lion/new')).full_name).to.equal('lion/new');
    });
  });

  it('moves the bytes with the visibility, and takes forks along', async () => {
    const used = async (username: string) => {
      const { json } = await api.admin.get(`/admin/users/${username}/quota`);
      return (json as { used: { size: { repos: { public: number; private: number } } } }).used.size.repos;
    };
    const dan = await api.createUser('dan');
    await createIn(dan, '/user/repos', { name: 'base', auto_init: true });
    expect((await ben.post('/repos/dan/base/forks', { name: 'fork' })).status).to.equal(202);
    const before = await used('dan');
    expect(before).to.include({ private: 0 });
    await dan.patch('/repos/dan/base', { private: true });
    expect(await used('dan')).to.include({ public: 0, private: before.public });
    expect(repositoryOf(await ben.get('/repos/ben/fork'))).to.include({
      private: true,
      parent: null,
      fork: true,
    });
    expect(repositoryOf(await ben.patch('/repos/ben/fork', { private: false })).private).to.equal(true);
    await dan.patch('/repos/dan/base', { private: false });
    expect(await used('dan')).to.include(before);
    expect(repositoryOf(await ben.get('/repos/ben/fork')).parent).to.include({
      full_name: 'dan/base',
      parent: null,
    });
  });
});
