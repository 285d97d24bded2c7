import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { CommandHandler } from '../../../../src/commands/handle.js';
import { RepositoryLocks } from '../../../../src/commands/repositories/repository-locks.js';
import { keyOf } from '../../../../src/domain/quota/storage-ledger-state.js';
import { StorageLedger } from '../../../../src/domain/quota/storage-ledger.js';
import { gitWorld, sorted, type GitWorld } from '../../../git-http/world.js';
import { pushedSite, SUBMODULE, type Site } from './site.js';

type Run = RepositoryLocks['run'];

describe('changes of branches and tags over HTTP', () => {
  let world: GitWorld;
  let site: Site;
  let count = 0;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());

  beforeEach(async () => {
    site = await pushedSite(world, `site-${++count}`);
  });

  /** Disk and log agree in every test, whatever was tried. */
  afterEach(async () => {
    const { refs, settings } = await world.logged(site.repository);
    expect(sorted(await world.disk.refs(site.repository.id))).to.deep.equal(sorted(refs));
    expect(await world.disk.head(site.repository.id)).to.equal(settings.defaultBranch);
  });

  const branches = () => `${site.path}/branches`;
  const create = (name: string, from: object = {}) =>
    world.owner.post(branches(), { new_branch_name: name, ...from });
  const tipOf = (json: unknown) => (json as { commit: { id: string } }).commit.id;
  const statusOf = async (path: string) => (await world.owner.get(`${site.path}/${path}`)).status;

  describe('a new branch', () => {
    it('begins at the default branch, or at any branch, tag or commit', async () => {
      const created = await create('one');
      expect(created.status).to.equal(201);
      expect(created.json).to.deep.include({ name: 'one', user_can_push: true });
      expect(tipOf(created.json)).to.equal(site.head);
      expect(tipOf((await create('two', { old_ref_name: 'light' })).json)).to.equal(site.first);
      expect(tipOf((await create('three', { old_ref_name: 'v1' })).json)).to.equal(site.head);
      expect(tipOf((await create('four', { old_ref_name: site.first })).json)).to.equal(site.first);
      expect(tipOf((await create('five', { old_branch_name: 'feature/one' })).json)).to.equal(site.head);
      expect(tipOf((await create('six', { old_ref_name: 'refs/heads/feature/one' })).json)).to.equal(
        site.head,
      );
      expect(tipOf((await create('seven', { old_ref_name: 'main~1' })).json)).to.equal(site.first);
      expect((await create('🌱', {})).status).to.equal(201);
    });

    it('is made later where the disk does not take it now', async () => {
      const inTheWay = join(world.disk.pathOf(site.repository.id), 'refs/heads/late.lock');
      await mkdir(inTheWay);
      const { status, headers } = await create('late');
      expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
      await rmdir(inTheWay);
      expect((await create('late')).status).to.equal(201);
    });

    it('begins where a branch is by the log, though the read models are late', async () => {
      await world.api.pauseProjector();
      const file = `${site.path}/contents/late.txt`;
      const written = await world.owner.post(file, { branch: 'main', content: 'aGk=' });
      expect([written.status, written.headers.get('preference-applied')]).to.deep.equal([
        201,
        'respond-async',
      ]);
      const tip = (written.json as { commit: { sha: string } }).commit.sha;
      const { admin } = world.api; // does not wait for the writes of others
      const tag = () => admin.post(`${site.path}/tags`, { tag_name: 'late', target: 'main' });
      const branch = () => admin.post(branches(), { new_branch_name: 'late' });
      for (const begin of [tag, branch]) {
        const { status, headers } = await begin();
        expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
      }
      const older = admin.post(branches(), { new_branch_name: 'older', old_branch_name: 'main' });
      setTimeout(() => {
        world.api.resumeProjector();
      }, 500);
      expect(tipOf((await older).json)).to.equal(tip);
      expect(tipOf((await branch()).json)).to.equal(tip);
      expect((await tag()).json).to.have.nested.property('commit.sha', tip);
    });

    it('begins at a branch that was pushed under a name which is refused otherwise', async () => {
      const old_branch_name = 'x'.repeat(101);
      const { status, message } = await create('early', { old_branch_name });
      expect([status, message.slice(0, 17)]).to.deep.equal([422, '[OldBranchName]: ']);
      await site.git('push', '--quiet', 'origin', `main:refs/heads/${old_branch_name}`);
      expect((await create('late', { old_branch_name })).status).to.equal(201);
    });

    it('is refused where its name or its beginning will not do', async () => {
      const { name } = await world.create(`empty-${count}`);
      const empty = `/repos/owner/${name}/branches`;
      expect((await world.owner.post(empty, { new_branch_name: 'a' })).status).to.equal(404);
      const outcomes: readonly (readonly [number, string, object?])[] = [
        [404, 'a', { old_ref_name: 'absent' }],
        [404, 'a', { old_branch_name: 'v1' }],
        [404, 'a', { old_ref_name: SUBMODULE }],
        [404, 'a', { old_ref_name: '--all' }],
        [409, 'main'],
        [409, 'main/below'],
        [409, 'feature'],
        [409, 'v1'],
        [422, ''],
        [422, '-x'],
        [422, 'a..b'],
        [422, 'a b'],
        [422, 'a.lock'],
        [422, '@'],
        [422, 'refs/../../x'],
        [422, 'a\\b'],
        [422, 'a'.repeat(101)],
        [422, 'a..b', { old_ref_name: 'absent' }],
        [422, 'a', { old_branch_name: 'a b' }],
        [404, 'a', { old_ref_name: 'a b' }],
      ];
      for (const [status, branch, from] of outcomes)
        expect((await create(branch, from)).status, branch).to.equal(status);
    });

    it('is 403 by a rule, 413 without room, and 423 in what is archived', async () => {
      await world.owner.post(`${site.path}/branch_protections`, { rule_name: 'shut/*', enable_push: false });
      expect((await create('shut/one')).status).to.equal(403);
      const group = `nothing-${count}`;
      const rules = [{ name: group, limit: 0, subjects: ['size:all'] }];
      await world.api.admin.post('/admin/quota/groups', { name: group, rules });
      await world.api.admin.put(`/admin/quota/groups/${group}/users/owner`);
      try {
        expect((await create('main')).status).to.equal(413); // before anything is looked for
        expect((await create('fresh')).status).to.equal(413);
        const lightweight = { tag_name: 'fresh' };
        expect((await world.owner.post(`${site.path}/tags`, lightweight)).status).to.equal(413);
        const annotated = { tag_name: 'fresh', message: 'hello' };
        expect((await world.owner.post(`${site.path}/tags`, annotated)).status).to.equal(413);
        expect((await world.owner.delete(`${branches()}/feature/one`)).status).to.equal(204);
        expect((await world.owner.delete(`${site.path}/tags/v1`)).status).to.equal(204);
      } finally {
        await world.api.admin.delete(`/admin/quota/groups/${group}/users/owner`);
      }
      await world.owner.patch(site.path, { archived: true });
      expect((await create('fresh')).status).to.equal(423);
      expect((await create('fresh', { old_ref_name: 'absent' })).status).to.equal(423);
      expect((await create('a..b')).status).to.equal(422);
      for (const target of ['main', 'absent']) {
        expect((await world.owner.post(`${site.path}/tags`, { tag_name: 'a', target })).status).to.equal(423);
        const invalid = { tag_name: 'a..b', target };
        expect((await world.owner.post(`${site.path}/tags`, invalid)).status).to.equal(422);
      }
      for (const place of ['tags/light', 'tags/absent', 'branches/absent'])
        expect((await world.owner.delete(`${site.path}/${place}`)).status, place).to.equal(423);
      expect((await world.owner.patch(`${branches()}/absent`, { name: 'a' })).status).to.equal(423);
    });
  });

  it('need room under any rule over what they make grow, and under no other', async () => {
    const group = `narrow-${count}`;
    const { admin } = world.api;
    await admin.post('/admin/quota/groups', { name: group });
    await admin.put(`/admin/quota/groups/${group}/users/owner`);
    try {
      for (const [subject, status] of [
        ['size:repos:private', 201],
        ['size:git:lfs', 201],
        ['size:repos:public', 413],
        ['size:repos:all', 413],
        ['size:git:all', 413],
      ] as const) {
        const rule = `${group}-${subject}`;
        await admin.post('/admin/quota/rules', { name: rule, limit: 0, subjects: [subject] });
        await admin.put(`/admin/quota/groups/${group}/rules/${rule}`);
        const name = subject.replaceAll(':', '-');
        expect((await create(name)).status, subject).to.equal(status);
        const tag = await world.owner.post(`${site.path}/tags`, { tag_name: `of-${name}` });
        expect(tag.status, subject).to.equal(status);
        await admin.delete(`/admin/quota/rules/${rule}`);
      }
    } finally {
      await admin.delete(`/admin/quota/groups/${group}`);
    }
  });

  it('delete a branch, but no default and no protected one', async () => {
    await world.owner.post(`${site.path}/branch_protections`, { rule_name: 'kept', enable_push: true });
    await create('kept');
    expect((await world.owner.delete(`${branches()}/feature/one`)).status).to.equal(204);
    expect(await statusOf('branches/feature/one')).to.equal(404);
    expect((await world.owner.delete(`${branches()}/feature/one`)).status).to.equal(404);
    expect((await world.owner.delete(`${branches()}/main`)).status).to.equal(403);
    expect((await world.owner.delete(`${branches()}/kept`)).status).to.equal(403);
  });

  it('rename a branch, the default one too', async () => {
    const rename = (from: string, name: string) => world.owner.patch(`${branches()}/${from}`, { name });
    expect((await rename('feature/one', 'feature/two')).status).to.equal(204);
    expect(await statusOf('branches/feature/one')).to.equal(404);
    expect(await statusOf('branches/feature/two')).to.equal(200);
    expect((await rename('main', 'trunk')).status).to.equal(204);
    expect((await world.owner.get(site.path)).json).to.include({ default_branch: 'trunk' });
    expect((await rename('absent', 'b')).status).to.equal(404);
    for (const taken of ['feature/two', 'trunk'])
      expect((await rename('trunk', taken)).status, taken).to.equal(422);
    expect((await rename('trunk', 'feature')).status).to.equal(409);
    expect((await rename('trunk', '-x')).status).to.equal(422);
    await world.owner.post(`${site.path}/branch_protections`, { rule_name: 'kept/*', enable_push: true });
    await create('kept/one');
    for (const [from, to] of [
      ['kept/one', 'free'],
      ['feature/two', 'kept/two'],
    ] as const)
      expect((await rename(from, to)).status, from).to.equal(403);
  });

  it('rename a branch to one below its own name, and back', async () => {
    const { id } = site.repository;
    for (const [from, name] of [
      ['main', 'main/line'],
      ['main/line', 'main'],
    ] as const) {
      const { status, text } = await world.owner.patch(`${branches()}/${from}`, { name });
      expect(status, text).to.equal(204);
      expect([await statusOf(`branches/${from}`), await statusOf(`branches/${name}`)]).to.deep.equal([
        404, 200,
      ]);
      const [log, disk] = [
        await world.api.connections.log.readStream(`repository-${id}`),
        await world.disk.refs(id),
      ];
      expect(log.at(-1)?.type).to.equal('RefsUpdated');
      expect([...disk.keys()].filter((ref) => /main|aside/.test(ref))).to.deep.equal([`refs/heads/${name}`]);
      expect(await world.disk.head(id)).to.equal(name);
    }
  });

  it('rename a branch at one stroke, and once under one key', async () => {
    const { id } = site.repository;
    const updates = async () =>
      (await world.api.connections.log.readStream(`repository-${id}`)).filter(
        ({ type }) => type === 'RefsUpdated',
      );
    const before = (await updates()).length;
    const rename = () =>
      world.owner.patch(`${branches()}/main`, { name: 'trunk' }, { 'Idempotency-Key': `rename-${count}` });
    expect((await rename()).status).to.equal(204);
    expect((await rename()).status).to.equal(204);
    expect(await updates()).to.have.length(before + 1);
    expect(await world.disk.head(id)).to.equal('trunk');
    expect(await statusOf('branches/main')).to.equal(404);
  });

  it('delete once what several delete at once', async () => {
    for (const [kind, body] of [
      ['branches', { new_branch_name: 'twice' }],
      ['tags', { tag_name: 'twice-tagged' }],
    ] as const) {
      const { json } = await world.owner.post(`${site.path}/${kind}`, body);
      const { name } = json as { name: string };
      const deletions = [1, 2, 3, 4].map(() => world.owner.delete(`${site.path}/${kind}/${name}`));
      const statuses = (await Promise.all(deletions)).map(({ status }) => status);
      expect(statuses.sort(), kind).to.deep.equal([204, 404, 404, 404]);
    }
  });

  describe('that others overtake', () => {
    /** Does `work`, which is answered with `status`, right before the next refs move. */
    const beforehand = (work: () => Promise<{ readonly status: number }>, status = 201) => {
      const run = Object.getOwnPropertyDescriptor(RepositoryLocks.prototype, 'run')?.value as Run;
      RepositoryLocks.prototype.run = async function <T>(id: number, move: () => Promise<T>): Promise<T> {
        RepositoryLocks.prototype.run = run;
        expect((await work()).status).to.equal(status);
        return run.call(this, id, move) as Promise<T>;
      };
    };
    const commit = (fields: object) =>
      world.owner.post(`${site.path}/contents/new`, { content: '', ...fields });

    it('delete no branch that moves meanwhile', async () => {
      await create('moving');
      beforehand(() => commit({ branch: 'moving' }));
      expect((await world.owner.delete(`${branches()}/moving`)).status).to.equal(409);
      expect((await world.owner.delete(`${branches()}/moving`)).status).to.equal(204);
    });

    it('delete no tag that moves meanwhile', async () => {
      const again = async () => {
        await world.owner.delete(`${site.path}/tags/light`);
        return world.owner.post(`${site.path}/tags`, { tag_name: 'light', target: 'main' });
      };
      beforehand(again);
      expect((await world.owner.delete(`${site.path}/tags/light`)).status).to.equal(409);
      expect((await world.owner.delete(`${site.path}/tags/light`)).status).to.equal(204);
    });

    it('commit to no branch that one which is made meanwhile is in the way of', async () => {
      beforehand(() => create('way'));
      expect((await commit({ new_branch: 'way/in' })).status).to.equal(409);
    });

    it('keep no room once the repository is out of reach of their token', async () => {
      const commands = new CommandHandler({ log: world.api.connections.log });
      const narrow = await world.api.createToken('owner', 'write:repository', 'public-only');
      const hide = (isPrivate: boolean) => world.owner.patch(site.path, { private: isPrivate });
      for (const [path, body] of [
        ['branches', { new_branch_name: 'late' }],
        ['tags', { tag_name: 'late', message: 'in words' }],
        ['contents/late', { content: '' }],
      ] as const) {
        beforehand(() => hide(true), 200);
        expect((await narrow.post(`${site.path}/${path}`, body)).status, path).to.equal(403);
        const { state } = await commands.load(StorageLedger, world.owner.id);
        expect(state.reservations.size, path).to.equal(0);
        const counted = state.entries.get(keyOf(String(site.repository.id), 'size:repos:private'));
        expect(counted, path).to.equal(await world.disk.sizeOf(site.repository.id));
        await hide(false);
      }
    });
  });

  it('create tags, with words or without, and delete them', async () => {
    const tags = `${site.path}/tags`;
    const light = await world.owner.post(tags, { tag_name: 'rel/1', target: 'light' });
    expect(light.status).to.equal(201);
    expect(light.json).to.deep.include({ name: 'rel/1', id: site.first, message: 'first' });
    const heavy = await world.owner.post(tags, { tag_name: 'rel/2', message: 'the second' });
    expect(heavy.status).to.equal(201);
    expect(heavy.json).to.deep.include({ name: 'rel/2', message: 'the second' });
    const { id, commit } = heavy.json as { id: string; commit: { sha: string } };
    expect(commit.sha).to.equal(site.head);
    const annotated = await world.owner.get(`${site.path}/git/tags/${id}`);
    expect(annotated.json).to.deep.include({ tag: 'rel/2', sha: id });
    expect(annotated.json).to.have.nested.property('tagger.email', 'owner@example.org');
    expect(await statusOf('tags/rel/2')).to.equal(200);
    expect((await world.owner.delete(`${tags}/rel/2`)).status).to.equal(204);
    expect(await statusOf('tags/rel/2')).to.equal(404);
    expect((await world.owner.delete(`${tags}/rel/2`)).status).to.equal(404);
    for (const [status, body] of [
      [409, { tag_name: 'v1' }],
      [404, { tag_name: 'a', target: 'absent' }],
      [422, { tag_name: '' }],
      [422, { tag_name: '-d' }],
      [422, { tag_name: 'a..b' }],
    ] as const)
      expect((await world.owner.post(tags, body)).status, body.tag_name).to.equal(status);
  });

  it('are for writers: 401 for nobody, 403 for readers, 404 where nothing is to be seen', async () => {
    const hidden = await pushedSite(world, `hidden-${count}`, true);
    const calls = [
      ['POST', '/branches'],
      ['DELETE', '/branches/feature/one'],
      ['PATCH', '/branches/feature/one'],
      ['POST', '/tags'],
      ['DELETE', '/tags/v1'],
    ] as const;
    for (const [method, path] of calls) {
      expect((await world.api.anonymous.send(method, site.path + path, {})).status, path).to.equal(401);
      expect((await world.reader.send(method, site.path + path, {})).status, path).to.equal(403);
      expect((await world.reader.send(method, hidden.path + path, {})).status, path).to.equal(404);
    }
  });
});
