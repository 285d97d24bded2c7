import { expect } from 'chai';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { CommandHandler } from '../../src/commands/handle.js';
import { streamOf } from '../../src/domain/decider.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { FLUSH, packet } from '../../src/push/pkt-line.js';
import { PASSWORD } from '../support/api.js';
import type { RunningApi } from '../support/running-api.js';
import { beforeEveryLock, beforeTheLock } from '../support/before-the-lock.js';
import { basic, type Client, type TestAnswer } from '../support/client.js';
import { meanwhile } from '../support/meanwhile.js';
import { until } from '../support/process.js';
import { gitWorld, sorted, type GitWorld, type TestRepository } from './world.js';

/** Two api processes: while a request to one is about to append, another is carried out by the other. */
describe('a change of refs that another request overtakes', () => {
  let world: GitWorld;
  let other: RunningApi;
  let elsewhere: Client;
  let repository: TestRepository;
  let path: string;
  let count = 0;
  before(async () => {
    world = await gitWorld();
    other = await world.api.another();
    elsewhere = other.as({ username: 'owner', password: PASSWORD });
  });
  after(() => world.stop());

  /** With one commit on `main` and on `topic`. */
  beforeEach(async () => {
    const name = `overtaken-${(count += 1)}`;
    repository = await world.create(name);
    path = `/repos/owner/${name}`;
    await world.client.working(name);
    await world.client.git(['push', world.url(repository, 'owner'), 'main', 'main:topic'], { in: name });
    await world.api.shown();
  });

  const done = async (answer: Promise<TestAnswer>) => {
    const { status, text } = await answer;
    expect(status, text).to.be.within(200, 299);
  };
  const pushed = async (by: string) => {
    await world.client.commit(repository.name, { more: 'of it' });
    return world.client.run(['push', world.url(repository, by), 'main'], { in: repository.name });
  };
  const tip = async () => (await world.logged(repository)).refs.get('refs/heads/main');
  const protects = () =>
    done(elsewhere.post(`${path}/branch_protections`, { rule_name: 'main', enable_push: false }));
  const deleted = async () => expect((await elsewhere.delete(path)).status).to.equal(204);
  const logged = async () => (await world.logged(repository)).settings.defaultBranch;

  it('whenever it can be overtaken is carried out in the end', async () => {
    let before: string | undefined;
    const push = async () => {
      expect((await pushed('owner')).code).to.equal(0);
      before = await tip();
    };
    const answer = await beforeEveryLock(push, () =>
      world.owner.post(`${path}/contents/a.txt`, { content: '', branch: 'main' }),
    );
    expect(answer.status, answer.text).to.equal(201);
    const { commit } = answer.json as { commit: { sha: string; parents: { sha: string }[] } };
    expect(commit.parents.map(({ sha }) => sha)).to.deep.equal([before]);
    expect(await tip()).to.equal(commit.sha);
  });

  it('by the deletion of the repository leaves nothing of it on disk', async () => {
    const answer = await meanwhile('StorageReserved', deleted, () =>
      world.owner.post(`${path}/contents/a.txt`, { content: '' }),
    );
    expect(answer.status).to.equal(404);
    expect(existsSync(world.disk.pathOf(repository.id))).to.equal(false);
  });

  /** Deletes the repository while a push comes in. Returns what git says of the push. */
  const deletedWhilePushed = async () => {
    const objects = join(world.disk.pathOf(repository.id), 'objects');
    const pushing = request(`${world.url(repository)}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: basic('owner', PASSWORD),
        'content-type': 'application/x-git-receive-pack-request',
      },
    });
    const answered = once(pushing, 'response') as Promise<[IncomingMessage]>;
    const order = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/new\0report-status side-band-64k\n`;
    const header = Buffer.from('PACK\0\0\0\x02\0\0\0\x02');
    const small = [Buffer.from('3'), deflateSync('a\n\n')]; // a blob of three bytes
    const large = [Buffer.from([0xb0, 0x80, 0x20]), deflateSync(randomBytes(65_536))]; // and one of 64 KiB
    const pack = Buffer.concat([header, ...small, ...large]);
    pushing.write(`${packet(order)}${FLUSH}`);
    pushing.write(pack.subarray(0, -1));
    // Once anything is stored, git has looked the first blob up, for which it reads the repository.
    const isStored = async () => {
      const [file] = (await readdir(objects, { recursive: true })).filter((each) =>
        each.includes('tmp_pack_'),
      );
      return file !== undefined && (await stat(join(objects, file))).size > 4096;
    };
    await until(isStored);
    await deleted();
    pushing.write(pack.subarray(-1));
    pushing.end(createHash('sha1').update(pack).digest());
    const [answer] = await answered;
    return text(answer);
  };

  it('by the deletion of the repository tells nobody where it lay on the disk', async () => {
    const said = await deletedWhilePushed();
    expect(said).to.contain('unpack').and.to.contain('fatal: ');
    expect(said).not.to.contain(world.dataDir);
  });

  it('by the deletion of the repository leaves no folder of it that git makes anew', async () => {
    await deletedWhilePushed();
    await until(() => !existsSync(world.disk.pathOf(repository.id)));
  });

  it('by a rule of its branch, or by its archiving, moves nothing', async () => {
    const before = await tip();
    for (const [overtake, told] of [
      [protects, 'the rules of main have changed meanwhile: try again'],
      [() => done(elsewhere.delete(`${path}/branch_protections/main`)), 'the rules of main have changed'],
      [() => done(elsewhere.patch(path, { archived: true })), 'the repository is archived'],
    ] as const) {
      // What one may push whatever the rule says: only that it is another counts.
      const rule = { rule_name: 'main', enable_push: true };
      if (overtake !== protects) await world.owner.post(`${path}/branch_protections`, rule);
      const { code, stderr } = await meanwhile('RefsUpdated', overtake, () => pushed('owner'));
      expect([code, await tip()], stderr).to.deep.equal([1, before]);
      expect(stderr).to.contain(told);
      if (overtake === protects) await done(elsewhere.delete(`${path}/branch_protections/main`));
    }
    expect(await world.disk.refs(repository.id)).to.have.property('size', 2);
    expect(world.api.logged()).not.to.contain('a push failed');
  });

  it('by a rule of its branch, or by its archiving, commits nothing', async () => {
    const before = await tip();
    const commit = () => world.owner.post(`${path}/contents/a.txt`, { content: '' });
    expect((await meanwhile('RefsUpdated', protects, commit)).status).to.equal(403);
    await done(elsewhere.delete(`${path}/branch_protections/main`));
    await world.api.shown();
    for (const send of [
      commit,
      () => world.owner.delete(`${path}/branches/topic`),
      () => world.owner.post(`${path}/tags`, { tag_name: 'v1' }),
    ]) {
      const archive = (archived: boolean) => done(elsewhere.patch(path, { archived }));
      expect((await meanwhile('RefsUpdated', () => archive(true), send)).status).to.equal(423);
      await archive(false);
      await world.api.shown();
    }
    expect([await tip(), (await world.logged(repository)).refs.size]).to.deep.equal([before, 2]);
  });

  it('by the loss of the right to it writes nothing by the API either', async () => {
    const before = sorted((await world.logged(repository)).refs);
    const collaborator = `${path}/collaborators/reader`;
    const lost = () => done(elsewhere.delete(collaborator));
    for (const [append, send] of [
      ['StorageReserved', () => world.reader.post(`${path}/contents/a.txt`, { content: '' })],
      ['StorageReserved', () => world.reader.post(`${path}/tags`, { tag_name: 'v1', message: 'one' })],
    ] as const) {
      await done(world.owner.put(collaborator, { permission: 'write' }));
      await world.api.shown();
      const { status, json } = await meanwhile(append, lost, send);
      expect([status, (json as { message: string }).message]).to.deep.equal([
        403,
        'writers of the repository only',
      ]);
    }
    expect(sorted((await world.logged(repository)).refs)).to.deep.equal(before);
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal(before);
  });

  it('by the loss of the right to it moves nothing', async () => {
    const before = await tip();
    const collaborator = `${path}/collaborators/reader`;
    await done(world.owner.put(collaborator, { permission: 'write' }));
    await world.api.shown();
    const { code, stderr } = await meanwhile(
      'StorageReserved',
      () => done(elsewhere.delete(collaborator)),
      () => pushed('reader'),
    );
    expect([code, await tip()], stderr).to.deep.equal([1, before]);
    expect(stderr).to.contain('you may not write to this repository');
  });

  it('by the archiving of the repository before its options hold has moved them', async () => {
    await world.client.commit(repository.name, { more: 'of it' });
    const push = ['push', '-o', 'repo.private=true', world.url(repository, 'owner'), 'main'];
    const { code, stderr } = await meanwhile(
      'RepositoryVisibilityChanged',
      () => done(elsewhere.patch(path, { archived: true })),
      () => world.client.run(push, { in: repository.name }),
    );
    expect(code, stderr).to.equal(0);
    expect(await tip()).to.equal(await world.client.git(['rev-parse', 'main'], { in: repository.name }));
    expect((await world.logged(repository)).isPrivate).to.equal(false);
  });

  it('by another commit on its branch, before it is judged, keeps nothing of it', async () => {
    const { code, stderr } = await meanwhile(
      'StorageReserved',
      () => done(elsewhere.post(`${path}/contents/theirs.txt`, { content: '' })),
      () => pushed('owner'),
    );
    expect(code, stderr).to.equal(1);
    expect(stderr).to.contain('Tallyforge: main has moved meanwhile: fetch first');
    const ours = await world.client.git(['rev-parse', 'main'], { in: repository.name });
    expect(await world.disk.commit(repository.id, ours)).to.equal(undefined);
    expect(await tip()).not.to.equal(ours);
  });

  it('by another name of the repository moves them', async () => {
    const { code, stderr } = await meanwhile(
      'StorageReserved',
      () => done(elsewhere.patch(path, { name: `${repository.name}-renamed` })),
      () => pushed('owner'),
    );
    expect(code, stderr).to.equal(0);
    expect(await tip()).to.equal(await world.client.git(['rev-parse', 'main'], { in: repository.name }));
  });

  it('by the deletion of the repository keeps no room for what was pushed', async () => {
    const { name } = repository;
    await world.client.commit(name, { more: 'of it' });
    const push = ['push', world.url(repository, 'owner'), 'main'];
    const { code } = await meanwhile('StorageReserved', deleted, () => world.client.run(push, { in: name }));
    expect(code).to.equal(1);
    const commands = new CommandHandler({ log: world.api.connections.log });
    const reserved = async () => (await commands.load(StorageLedger, world.owner.id)).state.reservations.size;
    await until(async () => (await reserved()) === 0); // git has said no already
    const ledger = await world.api.connections.log.readStream(streamOf(StorageLedger, world.owner.id));
    const released = ledger.findLast(({ type }) => type === 'ReservationReleased')?.data;
    expect(released).to.include({ objectId: String(repository.id) });
    expect(released).not.to.include({ reason: 'expired' }); // nobody had to wait for the end of its lease
    expect(world.api.logged()).not.to.contain('a push failed');
  });

  it('by the choice of another default branch leaves that choice', async () => {
    const renamed = await beforeTheLock(
      () => done(elsewhere.patch(path, { default_branch: 'topic' })),
      () => world.owner.patch(`${path}/branches/main`, { name: 'other' }),
    );
    expect(renamed.status).to.equal(204);
    expect(await logged()).to.equal('topic');
    expect(await world.disk.head(repository.id)).to.equal('topic');
  });

  it('by the choice of the branch as the default one takes an administrator', async () => {
    const collaborator = { permission: 'write' };
    expect((await world.owner.put(`${path}/collaborators/reader`, collaborator)).status).to.equal(204);
    await world.api.shown();
    await world.api.pauseProjector(); // what was read of it is what was before
    try {
      const data = { settings: { defaultBranch: 'topic' }, at: '2026-01-01T00:00:00Z' };
      const choose = { type: 'EditRepository', data } as const;
      const commands = new CommandHandler({ log: world.api.connections.log });
      await commands.handle(Repository, repository.id, choose, { commandId: randomUUID(), at: data.at });
      await world.disk.setHead(repository.id, 'topic');
      const renamed = await world.reader.patch(`${path}/branches/topic`, { name: 'mine' });
      expect(renamed.status, renamed.text).to.equal(403);
    } finally {
      world.api.resumeProjector();
    }
    expect([...(await world.logged(repository)).refs.keys()]).to.include('refs/heads/topic');
  });
});
