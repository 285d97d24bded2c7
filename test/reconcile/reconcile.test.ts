import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandHandler } from '../../src/commands/handle.js';
import { Ids } from '../../src/commands/ids.js';
import { Storage } from '../../src/commands/quota/storage.js';
import { startEventStoreDbStub } from '../support/eventstoredb-stub/stub.js';
import { runProgram } from '../support/process.js';
import { gitWorld, sorted, type GitWorld, type TestRepository } from '../git-http/world.js';

describe('npm run reconcile', () => {
  let world: GitWorld;
  let repository: TestRepository;
  let hash: string;
  let second: string;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());
  afterEach(() => world.owner.delete(`/repos/owner/${repository.name}`));
  beforeEach(async () => {
    const name = `reconciled-${Date.now()}`;
    repository = await world.create(name);
    await world.client.working(name);
    hash = await world.client.git(['rev-parse', 'HEAD'], { in: name });
    second = await world.client.commit(name, {}, 'second');
    await world.client.git(
      ['push', '--quiet', world.url(repository, 'owner'), 'main', `${hash}:refs/heads/old`],
      {
        in: name,
      },
    );
  });

  async function run(...args: string[]) {
    const program = runProgram('src/reconcile/main.js', args, world.api.environment);
    const { code } = await program.ended();
    return { code, output: program.output() };
  }

  it('finds nothing where nothing differs', async () => {
    const { code, output } = await run();
    expect(code, output).to.equal(0);
    expect(output).to.match(/^1 repositories compared: 0 differences mended, 0 left$/m);
  });

  it('brings refs and HEAD to the log, whatever was done to them', async () => {
    const refs = await world.disk.refs(repository.id);
    const move = [
      { ref: 'refs/heads/main', before: second, after: hash },
      { ref: 'refs/heads/old', before: hash, after: null },
      { ref: 'refs/heads/new', before: null, after: hash },
    ];
    await (await world.disk.prepareRefs(repository.id, move)).commit();
    await world.disk.setHead(repository.id, 'new');
    const heads = join(world.disk.pathOf(repository.id), 'refs', 'heads');
    await writeFile(join(heads, 'main.lock'), '');
    await writeFile(join(heads, 'old'), ''); // as a power failure leaves one

    const dry = await run('--dry-run');
    expect(dry.code).to.equal(1);
    expect(dry.output).to.contain(`refs/heads/main is at ${hash}, the log says ${second}\n`);
    expect(dry.output).to.contain('0 differences mended');
    expect((await world.disk.refs(repository.id)).get('refs/heads/main')).to.equal(hash);

    const { code, output } = await run();
    expect(code, output).to.equal(0);
    expect(output)
      .to.contain('refs/heads/new is at')
      .and.to.contain('HEAD does not name main: brought there');
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal(sorted(refs));
    expect(await world.disk.head(repository.id)).to.equal('main');
    expect((await run()).output).to.contain('0 differences mended');
  });

  it('says what it cannot mend: a repository that is gone or damaged, a ref whose objects are gone', async () => {
    const objects = join(world.disk.pathOf(repository.id), 'objects', 'pack');
    const move = [{ ref: 'refs/heads/main', before: second, after: null }];
    await (await world.disk.prepareRefs(repository.id, move)).commit();
    await rm(objects, { recursive: true });
    await mkdir(objects);
    const broken = await run('--repository', String(repository.id));
    expect(broken.code).to.equal(1);
    expect(broken.output).to.contain('cannot be brought there');
    await writeFile(join(world.disk.pathOf(repository.id), 'HEAD'), 'damaged');
    const unreadable = await run();
    expect(unreadable.code).to.equal(1);
    expect(unreadable.output)
      .to.contain(`repository ${repository.id}: cannot be compared: `)
      .and.to.contain('0 differences mended, 1 left');
    await world.disk.remove(repository.id);
    const gone = await run();
    expect(gone.code).to.equal(1);
    expect(gone.output).to.contain(`repository ${repository.id}: is not on disk`);
  });

  it('records the bytes that a repository takes', async () => {
    await writeFile(join(world.disk.pathOf(repository.id), 'extra'), 'x'.repeat(1_000));
    const { code, output } = await run();
    expect(code).to.equal(0);
    expect(output).to.match(/takes \d+ bytes, its owner's ledger says \d+: recorded/);
    await rm(join(world.disk.pathOf(repository.id), 'extra'));
    expect((await run('--dry-run')).output).to.match(/takes \d+ bytes/);
  });

  const ledgers = () => {
    const commands = new CommandHandler({ log: world.api.connections.log });
    return new Storage({ commands, limited: false });
  };
  const context = () => ({ commandId: randomUUID(), at: new Date().toISOString() });

  it('counts the bytes as public or private as the repository is', async () => {
    const subjects = { from: 'size:repos:public', to: 'size:repos:private' } as const;
    await ledgers().move(world.owner.id, String(repository.id), () => Promise.resolve(subjects), context());
    const { code, output } = await run();
    expect(code).to.equal(0);
    expect(output).to.match(/ledger says \d+ under size:repos:private, not size:repos:public: recorded/);
    expect((await run()).output).to.contain('0 differences mended, 0 left');
  });

  it('leaves bytes to whoever has reserved them', async () => {
    const storage = ledgers();
    const request = { objectId: String(repository.id), subject: 'size:repos:public', bytes: 1_000n } as const;
    const reservation = await storage.reserve(world.owner.id, request, context());
    await writeFile(join(world.disk.pathOf(repository.id), 'extra'), 'x'.repeat(1_000));
    expect(await run()).to.deep.include({ code: 0 });
    await storage.release(reservation, context());
    expect((await run('--dry-run')).output).to.match(/takes \d+ bytes/);
  });

  it('removes what never came to be after an hour, and what pushes left after a day', async () => {
    const ids = new Ids({ commands: new CommandHandler({ log: world.api.connections.log }) });
    const young = await ids.next('repository');
    const old = await ids.next('repository');
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    for (const id of [young, old]) await world.disk.create(id, { defaultBranch: 'main' });
    await utimes(world.disk.pathOf(old), anHourAgo, anHourAgo);
    const left = join(world.disk.pathOf(repository.id), 'objects', 'tmp_objdir-incoming-x');
    await mkdir(left);
    const aDayAgo = new Date(Date.now() - 25 * 60 * 60_000);
    await utimes(left, aDayAgo, aDayAgo);
    const { code, output } = await run();
    expect(code, output).to.equal(0);
    expect(output).to.contain(`repository ${old}: never came to be and is on disk: removed`);
    expect(output).to.contain('tmp_objdir-incoming-x was left by a push that was cut off: removed');
    expect([await world.disk.exists(young), await world.disk.exists(old)]).to.deep.equal([true, false]);
    await world.disk.remove(young);
  });

  it('removes what a push that was cut off made anew of a deleted repository', async () => {
    await world.owner.delete(`/repos/owner/${repository.name}`);
    const path = world.disk.pathOf(repository.id);
    await mkdir(join(path, 'objects', 'tmp_objdir-incoming-x'), { recursive: true });
    const dry = await run('--dry-run', '--repository', String(repository.id));
    expect(dry.output).to.contain(`repository ${repository.id}: was deleted and is on disk`);
    const { code, output } = await run();
    expect(code, output).to.equal(0);
    expect(output).to.contain(`repository ${repository.id}: was deleted and is on disk: removed`);
    expect(existsSync(path)).to.equal(false);
  });

  it('leaves what has a number that the log never gave', async () => {
    const stranger = 999_999;
    await world.disk.create(stranger, { defaultBranch: 'main' });
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    await utimes(world.disk.pathOf(stranger), anHourAgo, anHourAgo);
    const { code, output } = await run();
    expect(code, output).to.equal(1);
    expect(output).to.contain(`repository ${stranger}: is on disk, and this log never gave its number`);
    expect(await world.disk.exists(stranger)).to.equal(true);
    await world.disk.remove(stranger);
  });

  it('refuses another log, of which no repository here came to be', async () => {
    const path = world.disk.pathOf(repository.id);
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    await utimes(path, anHourAgo, anHourAgo);
    const stub = await startEventStoreDbStub();
    try {
      const environment = { ...world.api.environment, EVENTSTORE_URL: stub.url };
      const program = runProgram('src/reconcile/main.js', [], environment);
      expect((await program.ended()).code, program.output()).to.equal(2);
      expect(program.output()).to.include('the log has no event at position');
      expect(await world.disk.exists(repository.id)).to.equal(true);
    } finally {
      await stub.stop();
    }
  });

  it('refuses what it does not understand', async () => {
    expect((await run('--repository', 'x')).code).to.equal(2);
    const unknown = await run('--repository', '999999');
    expect(unknown.code).to.equal(2);
    expect(unknown.output).to.include('there is no repository 999999');
    expect((await run('--nonsense')).code).to.equal(2);
  });
});
