import { expect } from 'chai';
import { gitWorld, sorted, type GitWorld } from '../git-http/world.js';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandHandler } from '../../src/commands/handle.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import type { TestUser } from '../support/api.js';

describe('a push against a quota', () => {
  let world: GitWorld;
  let count = 0;
  let owner: TestUser;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());
  beforeEach(async () => {
    owner = await world.api.createUser(`limited${++count}`);
  });

  /** Limits what `owner` stores under a subject, in bytes; anew each time. */
  async function limit(bytes: bigint | number, subject = 'size:all'): Promise<string> {
    const rule = `${owner.username}-${subject.replaceAll(':', '-')}`;
    const { admin } = world.api;
    const edited = await admin.patch(`/admin/quota/rules/${rule}`, { limit: Number(bytes) });
    if (edited.status === 200) return rule;
    const group = { name: rule, rules: [{ name: rule, limit: Number(bytes), subjects: [subject] }] };
    expect((await admin.post('/admin/quota/groups', group)).status).to.equal(201);
    expect((await admin.put(`/admin/quota/groups/${rule}/users/${owner.username}`)).status).to.equal(204);
    return rule;
  }

  const noise = (bytes: number) =>
    Buffer.from(Array.from({ length: bytes }, () => Math.floor(Math.random() * 256)));
  const ledger = async () =>
    (await new CommandHandler({ log: world.api.connections.log }).load(StorageLedger, owner.id)).state;
  const used = async () => {
    const { usage } = await ledger();
    return usage['size:repos:public'] + usage['size:repos:private'];
  };

  it('that is too much is refused whole, and told what is full', async () => {
    const repository = await world.create('repo', { isPrivate: true, by: owner });
    await world.client.working(owner.username, { 'noise.bin': noise(50_000) });
    const before = await used();
    const rule = await limit(before + 40_000n, 'size:repos:private');
    const push = ['push', world.url(repository, owner.username), 'main', 'main:topic'];
    const { code, stderr } = await world.client.run(push, { in: owner.username });
    expect(code).to.equal(1);
    const [, full, incoming] =
      /^remote: Tallyforge: quota exceeded: size:repos:private used (\d+) \+ incoming (\d+) > limit \d+ \(rule \S+ of group \S+\)/m.exec(
        stderr,
      ) ?? [];
    expect(full).to.equal(before.toString());
    expect(Number(incoming)).to.be.greaterThan(50_000);
    expect(stderr).to.contain(`> limit ${before + 40_000n} (rule ${rule} of group ${rule})`);
    expect(stderr).to.match(/main -> topic \(pre-receive hook declined\)/);
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal({});
    expect(await used()).to.equal(before);
    expect((await ledger()).reservations.size).to.equal(0);
    expect(await world.disk.sizeOf(repository.id)).to.equal(before);
  });

  it('that only deletes passes, however full it is', async () => {
    const repository = await world.create('repo', { by: owner });
    await world.client.working(owner.username);
    const url = world.url(repository, owner.username);
    const git = (...args: string[]) => world.client.run(args, { in: owner.username });
    await git('push', url, 'main', 'main:topic', 'main:other', 'main:refs/tags/v1', 'main:refs/notes/x');
    await limit(1);
    expect((await git('push', url, 'main:new')).code).to.equal(1);
    expect((await git('push', url, 'main:refs/tags/v2')).code).to.equal(1);
    expect((await git('push', url, ':topic', 'main:new')).code).to.equal(1);
    const deletion = await git('push', url, ':topic', ':refs/tags/v1', ':refs/notes/x');
    expect(deletion.code, deletion.stderr).to.equal(0);
    expect(Object.keys(sorted(await world.disk.refs(repository.id)))).to.deep.equal([
      'refs/heads/main',
      'refs/heads/other',
    ]);
  });

  it('is refused to a protected branch as well, and for its options before, for its default branch after', async () => {
    const repository = await world.create('repo', { by: owner });
    const path = `/repos/${owner.username}/repo`;
    const writer = await world.api.createUser(`writer${count}`);
    expect((await owner.put(`${path}/collaborators/${writer.username}`, {})).status).to.equal(204);
    await world.client.working(owner.username);
    const url = world.url(repository, owner.username);
    const push = async (...args: string[]) =>
      (await world.client.run(['push', ...args], { in: owner.username })).stderr;
    await push(url, 'main', 'main:guarded');
    const rule = { rule_name: 'guarded', enable_push: true };
    expect((await owner.post(`${path}/branch_protections`, rule)).status).to.equal(201);
    await limit(1);
    await world.client.commit(owner.username, { more: 'more' });
    expect(await push(url, 'main:guarded')).to.contain('remote: Tallyforge: quota exceeded');
    expect(await push(url, ':main', 'main:new')).to.contain('remote: Tallyforge: quota exceeded');
    expect(await push(url, ':main')).to.contain('main is the default branch');
    const others = world.url(repository, writer.username);
    expect(await push('-o', 'repo.private=true', others, 'main:new')).to.contain(
      'only administrators of the repository may give these options',
    );
  });

  it('passes at the very byte, and not one before it', async () => {
    const repository = await world.create('repo', { by: owner });
    await world.client.working(owner.username, { 'noise.bin': noise(10_000) });
    const before = await used();
    await limit(before);
    const url = world.url(repository, owner.username);
    const { stderr } = await world.client.run(['push', url, 'main'], { in: owner.username });
    const incoming = BigInt(/incoming (\d+)/.exec(stderr)?.[1] ?? '0');
    await limit(before + incoming - 1n);
    expect((await world.client.run(['push', url, 'main'], { in: owner.username })).code).to.equal(1);
    await limit(before + incoming);
    expect((await world.client.run(['push', url, 'main'], { in: owner.username })).code).to.equal(0);
    expect(await used()).to.equal(await world.disk.sizeOf(repository.id));
    expect((await used()) <= before + incoming).to.equal(true);
  });

  it('never goes over by the names of refs, however they lie on the disk', async () => {
    const repository = await world.create('repo', { by: owner });
    await world.client.working(owner.username, { 'noise.bin': noise(1_000) });
    const url = world.url(repository, owner.username);
    const push = (...refspecs: string[]) =>
      world.client.run(['push', url, ...refspecs], { in: owner.username });
    const many = Array.from({ length: 100 }, (_, index) => `main:refs/heads/of-many/${index}`);
    const tags = many.map((_, index) => `note:refs/tags/of-many/${index}`);
    await world.client.git(['tag', '-a', '-m', 'said', 'note'], { in: owner.username });
    // An empty repository of a short default branch, packed refs, an update of one of them, and many at a time.
    for (const refspecs of [['main:a-branch-of-a-long-name'], many, ['main~0:of-many/1', 'main:one'], tags]) {
      await limit(0);
      const before = await used();
      const refusal = (await push(...refspecs)).stderr;
      const incoming = BigInt(/incoming (\d+)/.exec(refusal)?.[1] ?? '0');
      await limit(before + incoming - 1n);
      expect((await push(...refspecs)).code).to.equal(1);
      await limit(before + incoming);
      const { code, stderr } = await push(...refspecs);
      expect(code, stderr).to.equal(0);
      expect(await used()).to.equal(await world.disk.sizeOf(repository.id));
      expect((await used()) <= before + incoming).to.equal(true);
    }
    await world.client.commit(owner.username, { more: 'more' });
    await limit(0);
    const before = await used();
    const incoming = BigInt(
      /incoming (\d+)/.exec((await push('main:refs/heads/of-many/1')).stderr)?.[1] ?? '0',
    );
    await limit(before + incoming);
    expect((await push('main:refs/heads/of-many/1')).code).to.equal(0);
    expect(await used()).to.equal(before + incoming);
  });

  it('of a collaborator counts for the owner', async () => {
    const repository = await world.create('repo', { by: owner });
    const other = await world.api.createUser(`collaborator${count}`);
    const path = `/repos/${owner.username}/repo/collaborators/${other.username}`;
    expect((await owner.put(path, { permission: 'write' })).status).to.equal(204);
    await world.client.working(owner.username, { 'noise.bin': noise(10_000) });
    const push = ['push', world.url(repository, other.username), 'main'];
    await limit((await used()) + 5_000n);
    expect((await world.client.run(push, { in: owner.username })).stderr).to.contain('quota exceeded');
    await limit(-1);
    expect((await world.client.run(push, { in: owner.username })).code).to.equal(0);
    expect(await used()).to.equal(await world.disk.sizeOf(repository.id));
  });

  it('races with 63 others for the last room: to the byte as many get it as there is room for', async () => {
    const racers = 64;
    const repositories = [];
    for (let racer = 0; racer < racers + 2; racer++)
      repositories.push(await world.create(`racer-${racer}`, { by: owner }));
    await world.client.working(owner.username, { 'noise.bin': noise(20_000) });
    await world.client.git(['gc', '--quiet'], { in: owner.username });
    const push = ({ name }: { readonly name: string }) =>
      world.client.run(['push', world.url({ owner: owner.username, name }, owner.username), 'main'], {
        in: owner.username,
      });
    await limit(0);
    const [first = expect.fail('no repository')] = repositories;
    const each = BigInt(/incoming (\d+)/.exec((await push(first)).stderr)?.[1] ?? '0');
    expect(each > 20_000n).to.equal(true);

    let empty = repositories;
    for (const [missing, fitting] of [
      [1n, 2],
      [0n, 3],
    ] as const) {
      const before = await used();
      await limit(before + 3n * each - missing);
      const racing = empty.slice(0, racers);
      const outcomes = await Promise.all(racing.map(push));
      expect(outcomes.filter(({ code }) => code === 0)).to.have.length(fitting);
      for (const { code, stderr } of outcomes) if (code !== 0) expect(stderr).to.contain('quota exceeded');
      expect(await used()).to.equal(before + BigInt(fitting) * each);
      expect((await ledger()).reservations.size).to.equal(0);
      empty = repositories.filter((_, racer) => outcomes[racer]?.code !== 0);
    }
    const sizes = await Promise.all(repositories.map(({ id }) => world.disk.sizeOf(id)));
    expect(await used()).to.equal(sizes.reduce((sum, size) => sum + size, 0n));
    await rm(join(world.client.folder, owner.username), { recursive: true });
  });
});
