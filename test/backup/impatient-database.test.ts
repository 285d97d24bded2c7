import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backUp } from '../../src/backup/back-up.js';
import { readServiceConfig } from '../../src/config.js';
import { connect } from '../../src/connections.js';
import type { Git } from '../../src/git/git.js';
import { openGit } from '../../src/git/open-git.js';
import { startApi, VERSION, type TestApi } from '../support/api.js';

const LIMIT_MS = 1_000;

describe('a back-up of a database that limits the time of transactions', () => {
  let api: TestApi;
  let folder: string;

  before(async () => {
    api = await startApi();
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-backup-'));
  });
  after(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('packs what changed meanwhile, however long that takes', async () => {
    await api.admin.post('/user/repos', { name: 'kept', auto_init: true });
    const limits = ['idle_in_transaction_session_timeout', 'transaction_timeout'];
    const options = limits.map((limit) => `-c ${limit}=${LIMIT_MS}`).join(' ');
    const config = readServiceConfig({
      ...api.environment,
      DATABASE_URL: `${api.databaseUrl}&options=${encodeURIComponent(options)}`,
    });
    const connections = await connect(config, { applicationName: 'test', onError: () => undefined });
    const git = await openGit({ folder: join(api.dataDir, 'repositories') });
    let packed = 0;
    const start: Git['start'] = async (...args) => {
      packed += 1;
      if (packed === 1) await api.admin.post('/repos/root/kept/contents/new', { content: '' });
      else await sleep(1.5 * LIMIT_MS);
      return git.start(...args);
    };
    try {
      const { repositories } = await backUp(folder, {
        connections,
        git: Object.assign(Object.create(git) as Git, { start }),
        version: VERSION,
        vaultKey: config.vaultKey,
        withKeys: true,
        say: () => undefined,
      });
      expect({ repositories, packed }).to.deep.equal({ repositories: 1, packed: 2 });
    } finally {
      await connections.close();
    }
  });
});
