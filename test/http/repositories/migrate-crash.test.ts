import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { Claims } from '../../../src/commands/claims.js';
import { CommandHandler } from '../../../src/commands/handle.js';
import { Storage } from '../../../src/commands/quota/storage.js';
import { repositoryNameClaim } from '../../../src/commands/repositories/repository-claims.js';
import { StorageLedger } from '../../../src/domain/quota/storage-ledger.js';
import { PASSWORD, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { clientOf } from '../../support/client.js';
import { startGitServer, type GitServer } from '../../support/git-server.js';
import { until } from '../../support/process.js';

const DYING = fileURLToPath(new URL('../../push/doomed-process.js', import.meta.url));

describe('a migration whose server is killed', () => {
  let api: TestApi;
  let server: GitServer;
  let ann: TestUser;

  before(async () => {
    [api, server] = await Promise.all([startApi({ config: { allowLocalNetworks: true } }), startGitServer()]);
    ann = await api.createUser('ann');
    await server.commit('a.git', 'main', 'README.md', 'hello');
  });
  after(() => Promise.all([api.stop(), server.stop()]));

  const form = (name: string) => ({ clone_addr: `${server.url}/a.git`, repo_name: name });

  async function killed(dies: string, name: string): Promise<void> {
    const env = { PATH: process.env.PATH, ...api.environment, ALLOW_LOCAL_NETWORKS: 'true', DIES: dies };
    const child = fork(DYING, [], { env, silent: true });
    try {
      const [{ address }] = (await once(child, 'message')) as [{ address: string }];
      const gone = once(child, 'exit');
      const client = clientOf(() => address, { username: 'ann', password: PASSWORD });
      await client.post('/repos/migrate', form(name)).catch(() => undefined);
      await gone;
    } finally {
      child.kill('SIGKILL');
    }
  }

  const used = async () => ((await api.admin.get('/admin/users/ann/quota')).json as { used: unknown }).used;
  const staged = () => readdir(join(api.dataDir, 'repositories', 'staging')).catch(() => []);

  for (const moment of ['after StorageReserved', 'before RepositoryCreated'])
    it(`${moment} does not count: name and room come free when its lease is over`, async () => {
      const name = moment.replace(' ', '-');
      const before = await used();
      await killed(moment, name);
      expect((await ann.get(`/repos/ann/${name}`)).status).equals(404);
      expect(await used()).deep.equals(before);
      expect(await staged()).deep.equals([]);
      expect((await ann.post('/repos/migrate', form(name))).status, 'while it could be alive').equals(409);

      const later = () => new Date(Date.now() + 3_600_000);
      const commands = new CommandHandler({ log: api.connections.log });
      const context = { commandId: v4(), at: new Date().toISOString() };
      const claims = new Claims({ commands, now: later });
      const claim = await claims.claim(repositoryNameClaim(ann.id, name), 999_999, context);
      await claims.release(claim, context);
      await new Storage({ commands, limited: true, now: later }).settleOverdue(ann.id, context);
      expect((await commands.load(StorageLedger, ann.id)).state.reservations.size).equals(0);
      expect((await ann.post('/repos/migrate', form(name))).status).equals(201);
    });

  it('after RepositoryCreated is there, whole', async () => {
    await killed('after RepositoryCreated', 'whole');
    // Nobody was told at which position it is, to wait for it.
    await until(async () => (await ann.get('/repos/ann/whole')).status !== 404);
    const { status, json } = await ann.get('/repos/ann/whole');
    expect(status).equals(200);
    expect(json).deep.include({ empty: false, default_branch: 'main', original_url: `${server.url}/a.git` });
    expect((await ann.post('/repos/migrate', form('whole'))).status).equals(409);
  });
});
