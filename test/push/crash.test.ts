import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandHandler } from '../../src/commands/handle.js';
import { keyOf } from '../../src/domain/quota/storage-ledger-state.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { HOOKS } from '../../src/push/hooks.js';
import { FLUSH, packet } from '../../src/push/pkt-line.js';
import { PASSWORD } from '../support/api.js';
import { basic } from '../support/client.js';
import { descendantsOf } from '../git-http/processes.js';
import { gitWorld, sorted, type GitWorld, type TestRepository } from '../git-http/world.js';
import { meanwhile } from '../support/meanwhile.js';
import { until } from '../support/process.js';

/** False where it is gone by itself; a negative id is that of a group. */
const kill = (id: number) => {
  try {
    return process.kill(id, 'SIGKILL');
  } catch {
    return false;
  }
};

const API = fileURLToPath(new URL('doomed-process.js', import.meta.url));

describe('a push that is cut off', () => {
  let world: GitWorld;
  let count = 0;
  let name: string;
  let repository: TestRepository;
  let child: ChildProcess | undefined;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());
  beforeEach(async () => {
    name = `crash-${++count}`;
    repository = await world.create(name);
    await world.client.working(name);
    await world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: name });
  });
  afterEach(() => child?.kill('SIGKILL'));

  /** Pushes to an api that dies at a step; whether git took the push for done. */
  async function pushToDoomed(dies: string, ...specs: string[]): Promise<boolean> {
    child = fork(API, [], {
      env: { PATH: process.env.PATH, ...world.api.environment, DIES: dies },
      silent: true,
    });
    const [{ address }] = (await once(child, 'message')) as [{ address: string }];
    const gone = once(child, 'exit');
    const url = new URL(world.url(repository, 'owner'));
    const doomed = `http://owner:correct%20horse@${new URL(address).host}${url.pathname}`;
    const { code } = await world.client.run(['push', doomed, ...specs], { in: name });
    await gone;
    return code === 0;
  }

  const onDisk = async () => sorted(await world.disk.refs(repository.id));
  const inLog = async () => sorted((await world.logged(repository)).refs);
  const pending = () => readdir(join(world.dataDir, 'repositories', 'pending'));

  /** Disk, log and ledger agree, and nothing is left to do. */
  async function expectSettled(): Promise<void> {
    await until(async () => (await pending()).length === 0);
    expect(await onDisk()).to.deep.equal(await inLog());
    const commands = new CommandHandler({ log: world.api.connections.log });
    const { state } = await commands.load(StorageLedger, world.owner.id);
    const counted = state.entries.get(keyOf(String(repository.id), 'size:repos:public'));
    expect(counted).to.equal(await world.disk.sizeOf(repository.id));
  }

  /** What the next who asks is told. */
  const advertised = async (ref: string) =>
    (await world.client.git(['ls-remote', world.url(repository), ref])).slice(0, 40);

  it('before the log knows of it, leaves nothing moved', async () => {
    const before = await inLog();
    await world.client.commit(name, {}, 'second');
    expect(await pushToDoomed('before RefsUpdated', 'main')).to.equal(false);
    expect(await advertised('main')).to.equal(before['refs/heads/main']);
    expect(await inLog()).to.deep.equal(before);
    await expectSettled();
  });

  it('once the log knows of it, is finished by whoever reads next', async () => {
    const hash = await world.client.commit(name, {}, 'second');
    await pushToDoomed('after RefsUpdated', 'main', 'main:topic');
    expect(await inLog()).to.deep.equal({ 'refs/heads/main': hash, 'refs/heads/topic': hash });
    expect(await advertised('topic')).to.equal(hash);
    await expectSettled();
  });

  it('once the log knows of it, is finished by whoever pushes next', async () => {
    const hash = await world.client.commit(name, {}, 'second');
    await pushToDoomed('after RefsUpdated', 'main');
    const third = await world.client.commit(name, {}, 'third');
    await world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: name });
    expect(await inLog()).to.deep.equal({ 'refs/heads/main': third });
    expect(await world.client.git(['rev-parse', 'main~1'], { in: name })).to.equal(hash);
    await expectSettled();
  });

  it('once the log knows of it, is finished by the next start', async () => {
    const hash = await world.client.commit(name, {}, 'second');
    await pushToDoomed('after RefsUpdated', 'main');
    expect(await pending()).to.deep.equal([String(repository.id)]);
    await world.api.restart();
    await expectSettled();
    expect(await onDisk()).to.deep.equal({ 'refs/heads/main': hash });
  });

  it('once the log knows of it, is what the API reads, though the disk is still behind', async () => {
    const hash = await world.client.commit(name, { 'new.txt': 'new\n' }, 'second');
    await pushToDoomed('after RefsUpdated', 'main');
    await world.api.shown();
    const read = (path: string) => world.owner.get(`/repos/owner/${name}/${path}`);
    for (const path of ['contents/new.txt', 'raw/new.txt', 'git/trees/HEAD', 'tags', 'archive/main.bundle'])
      expect((await read(path)).status, path).to.equal(200);
    const [newest] = (await read('commits')).json as { sha: string }[];
    const single = (await read('git/commits/main')).json as { sha: string };
    expect([newest?.sha, single.sha]).to.deep.equal([hash, hash]);
    expect(await pending()).to.deep.equal([String(repository.id)]);
    expect(await advertised('main')).to.equal(hash);
    await expectSettled();
  });

  it('the first of all, once the log knows of it, gets its default branch', async () => {
    const first = await world.create(`${name}-first`);
    repository = first;
    await pushToDoomed('after RefsUpdated', 'main:other');
    expect(await world.disk.head(first.id)).to.equal('main');
    expect((await advertised('other')).length).to.equal(40);
    expect(await world.disk.head(first.id)).to.equal('other');
    await expectSettled();
  });

  it('with its refs moved, is counted by whoever comes next', async () => {
    const hash = await world.client.commit(name, { 'more.txt': 'more\n' }, 'second');
    await pushToDoomed('before ReservationSettled', 'main');
    expect(await onDisk()).to.deep.equal({ 'refs/heads/main': hash });
    expect(await advertised('main')).to.equal(hash);
    await expectSettled();
  });

  it('with room reserved and nothing decided, can be done again', async () => {
    const hash = await world.client.commit(name, {}, 'second');
    expect(await pushToDoomed('after StorageReserved', 'main')).to.equal(false);
    await world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: name });
    expect(await onDisk()).to.deep.equal({ 'refs/heads/main': hash });
    await expectSettled();
  });

  for (const [when, signal] of [
    ['while git reads', 'SIGCONT'],
    ['while git is at work', 'SIGSTOP'], // as long as it checks what it has read, it does not notice
  ] as const)
    it(`by a client that is gone ${when}, leaves neither objects nor programs`, async () => {
      const before = await world.disk.sizeOf(repository.id);
      const pushing = request(`${world.url(repository)}/git-receive-pack`, {
        method: 'POST',
        headers: {
          authorization: basic('owner', PASSWORD),
          'content-type': 'application/x-git-receive-pack-request',
        },
      }).on('error', () => undefined);
      const order = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/topic\0report-status\n`;
      pushing.write(`${packet(order)}${FLUSH}PACK\0\0\0\x02\0\0\0\x01`); // one object, which never comes
      const objects = join(world.disk.pathOf(repository.id), 'objects');
      const quarantined = async () =>
        (await readdir(objects)).some((entry) => entry.startsWith('tmp_objdir-'));
      const programs = (word: string) => descendantsOf(process.pid, word);
      await until(async () => (await quarantined()) && (await programs('index-pack')).length > 0);
      const [checking = 0] = await programs('index-pack');
      process.kill(checking, signal);
      pushing.destroy();
      await until(async () => (await programs('receive-pack')).length === 0);
      expect(await quarantined()).to.equal(false);
      expect(await programs('index-pack')).to.deep.equal([]);
      expect(await world.disk.sizeOf(repository.id)).to.equal(before);
      await expectSettled();
    });

  it('by a git that is killed, leaves the refs where the log says', async () => {
    const hash = await world.client.commit(name, {}, 'second');
    let isOver = false;
    const pushing = world.client
      .run(['push', world.url(repository, 'owner'), 'main'], { in: name })
      .finally(() => (isOver = true));
    await until(async () => {
      for (const git of await descendantsOf(process.pid, 'receive-pack')) kill(-git);
      return isOver;
    });
    await pushing;
    expect(await advertised('main')).to.equal((await inLog())['refs/heads/main']);
    await world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: name });
    expect(await onDisk()).to.deep.equal({ 'refs/heads/main': hash });
    await expectSettled();
  });

  // What the second hook runs takes its place, and one more like it is below it. Each is killed while it waits for the
  // api, which is about to record this.
  for (const [hook, program, count, type] of [
    ['pre-receive', join(HOOKS, 'pre-receive'), 1, 'StorageReserved'],
    ['proc-receive', 'cat', 2, 'RefsUpdated'],
  ] as const)
    it(`by a ${hook} hook that is killed, leaves the refs where the log says`, async () => {
      const hash = await world.client.commit(name, {}, 'second');
      const killHook = () =>
        until(async () => {
          for (const git of await descendantsOf(process.pid, 'receive-pack')) {
            const [first = 0, ...below] = await descendantsOf(git, program);
            if (below.length === count - 1) return kill(first);
          }
          return false;
        });
      const push = () => world.client.run(['push', world.url(repository, 'owner'), 'main'], { in: name });
      const { code } = await meanwhile(type, killHook, push);
      expect(code).not.to.equal(0);
      expect(await advertised('main')).to.equal((await inLog())['refs/heads/main']);
      await expectSettled();
      await world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: name });
      expect(await onDisk()).to.deep.equal({ 'refs/heads/main': hash });
      await expectSettled();
    });
});
