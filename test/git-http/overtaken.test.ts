import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandHandler } from '../../src/commands/handle.js';
import { Repository } from '../../src/domain/repositories/repository.js';
import { StorageLedger } from '../../src/domain/quota/storage-ledger.js';
import { PASSWORD, type RunningApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { meanwhile } from '../support/meanwhile.js';
import { gitWorld, type GitWorld, type TestRepository } from './world.js';

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

  const deleted = async () => expect((await elsewhere.delete(path)).status).to.equal(204);
  const logged = async () => (await world.logged(repository)).settings.defaultBranch;

  it('by the deletion of the repository leaves nothing of it on disk', async () => {
    const answer = await meanwhile('StorageReserved', deleted, () =>
      world.owner.post(`${path}/contents/a.txt`, { content: '' }),
    );
    expect(answer.status).to.equal(404);
    expect(existsSync(world.disk.pathOf(repository.id))).to.equal(false);
  });

  it('by the deletion of the repository keeps no room for what was pushed', async () => {
    const { name } = repository;
    await world.client.commit(name, { more: 'of it' });
    const push = ['push', world.url(repository, 'owner'), 'main'];
    const { code } = await meanwhile('StorageReserved', deleted, () => world.client.run(push, { in: name }));
    expect(code).to.equal(1);
    const commands = new CommandHandler({ log: world.api.connections.log });
    const reserved = async () => (await commands.load(StorageLedger, world.owner.id)).state.reservations.size;
    for (let look = 0; look < 200 && (await reserved()) > 0; look += 1) await sleep(20); // git has said no already
    expect(await reserved()).to.equal(0);
    expect(world.api.logged()).not.to.contain('a push failed');
  });

  it('by the choice of another default branch leaves that choice', async () => {
    let edited: Promise<unknown> | undefined;
    const choose = async () => {
      edited = elsewhere.patch(path, { default_branch: 'topic' }); // which waits for git
      while ((await logged()) !== 'topic') await sleep(5);
    };
    const renamed = await meanwhile('RefsUpdated', choose, () =>
      world.owner.patch(`${path}/branches/main`, { name: 'other' }),
    );
    expect(renamed.status).to.equal(204);
    await edited;
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
