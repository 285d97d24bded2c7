import { expect } from 'chai';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandHandler } from '../../src/commands/handle.js';
import { Storage } from '../../src/commands/quota/storage.js';
import { collectGarbage } from '../../src/commands/repositories/collect-garbage.js';
import { GarbageCollector } from '../../src/commands/repositories/garbage-collector.js';
import { RepositoryLocks } from '../../src/commands/repositories/repository-locks.js';
import { keyOf } from '../../src/domain/quota/storage-ledger-state.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { GitBusy } from '../../src/git/port/errors.js';
import { pack, refusal } from '../git/repositories.js';
import { gitWorld, type GitWorld, type TestRepository } from '../git-http/world.js';
import { runProgram, until } from '../support/process.js';

describe('the garbage of repositories', () => {
  let world: GitWorld;
  let repository: TestRepository;
  let count = 0;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());
  beforeEach(async () => {
    const name = `garbage-${++count}`;
    repository = await world.create(name);
    await world.client.working(name);
    await push();
    await pack(world.disk.pathOf(repository.id), 51);
  });

  const push = () =>
    world.client.git(['push', '--quiet', world.url(repository, 'owner'), 'main'], { in: repository.name });
  const packs = async () => {
    const files = await readdir(join(world.disk.pathOf(repository.id), 'objects', 'pack'));
    return files.filter((name) => name.endsWith('.pack')).length;
  };
  const isCounted = async () => {
    const commands = new CommandHandler({ log: world.api.connections.log });
    const { state } = await commands.load(StorageLedger, world.owner.id);
    const counted = state.entries.get(keyOf(String(repository.id), 'size:repos:public'));
    return counted === (await world.disk.sizeOf(repository.id));
  };

  it('is collected behind a push that leaves much of it, and what is left is counted', async () => {
    await world.client.commit(repository.name, { 'more.txt': 'more\n' }, 'second');
    await push();
    // One of what refs reach, one of what they do not, and the push's own if collecting began behind the push before.
    let left = 0;
    await until(async () => (left = await packs()) <= 3 && (await isCounted()));
    const read = await world.owner.get(`/repos/owner/${repository.name}/raw/more.txt`);
    expect([read.status, read.text]).to.deep.equal([200, 'more\n']);
    await world.client.commit(repository.name, {}, 'third');
    await push();
    expect(await packs()).to.equal(left + 1);
  });

  it('is collected by hand, once refs are where the log says', async () => {
    await writeFile(join(world.disk.pathOf(repository.id), 'refs', 'heads', 'main'), ''); // as a power failure leaves one
    const args = ['--gc', '--repository', String(repository.id)];
    const program = runProgram('src/reconcile/main.js', args, world.api.environment);
    const { code } = await program.ended();
    expect(code, program.output()).to.equal(0);
    expect(program.output()).to.match(/^repository \d+: packed anew, \d+ bytes became \d+$/m);
    expect([await packs(), await isCounted()]).to.deep.equal([2, true]);
    expect(await readdir(join(world.dataDir, 'repositories', 'pending'))).to.deep.equal([]);
  });

  it('that cannot be collected is left alone for a while', async () => {
    const failures: number[] = [];
    let asked = 0;
    const git = { hasMuchGarbage: () => Promise.reject(new Error(`full ${++asked}`)) };
    const collector = new GarbageCollector({ git } as never, (_error, id) => failures.push(id));
    collector.consider(1);
    await until(() => failures.length === 1);
    collector.consider(1);
    collector.consider(2);
    await until(() => failures.length === 2);
    await collector.close();
    expect([failures, asked]).to.deep.equal([[1, 2], 2]);
  });

  it('that could not be collected because git could not be started is not left alone', async () => {
    let asked = 0;
    const git = { hasMuchGarbage: () => Promise.reject(new GitBusy(`busy ${++asked}`)) };
    const collector = new GarbageCollector({ git } as never, () => undefined);
    for (const times of [1, 2]) {
      collector.consider(1);
      await until(() => asked === times);
    }
    await collector.close();
  });

  it('is counted even if nobody heard how collecting it ended', async () => {
    const commands = new CommandHandler({ log: world.api.connections.log });
    const repositoryLocks = new RepositoryLocks({ dataDir: world.dataDir });
    const git = {
      ...world.disk,
      gc: async (id: number) => {
        await world.disk.gc(id);
        throw new GitBusy('what starts programs has ended');
      },
    };
    const services = { commands, git, storage: new Storage({ commands, limited: false }), repositoryLocks };
    expect(await refusal(collectGarbage(services, repository.id))).to.be.instanceOf(GitBusy);
    expect([await packs(), await isCounted()]).to.deep.equal([2, true]);
    repositoryLocks.close();
  });
});
