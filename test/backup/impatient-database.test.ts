import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backUp } from '../../src/backup/back-up.js';
import { restore } from '../../src/backup/restore/restore.js';
import { readConfig } from '../../src/config.js';
import { readServiceConfig } from '../../src/start/service-config.js';
import { connect } from '../../src/connections.js';
import type { Git } from '../../src/git/git.js';
import { openGit } from '../../src/git/open-git.js';
import { startApi, VERSION, type TestApi } from '../support/api.js';
import { dataDir } from '../support/data-dir.js';
import { testDatabase } from '../support/postgres.js';

const LIMIT_MS = 3_000;

const optionsOf = (...limits: string[]) =>
  encodeURIComponent(limits.map((limit) => `-c ${limit}=${LIMIT_MS}`).join(' '));

describe('a database that limits the time of transactions', () => {
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

  it('is backed up, however long it takes to pack what changed meanwhile', async () => {
    await api.admin.post('/user/repos', { name: 'kept', auto_init: true });
    const options = optionsOf('idle_in_transaction_session_timeout', 'transaction_timeout');
    const config = await readServiceConfig({
      ...api.environment,
      DATABASE_URL: `${api.databaseUrl}&options=${options}`,
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

  it('is restored to, however long its tables take', async () => {
    const target = await dataDir();
    const database = await testDatabase();
    const DATABASE_URL = `${database.url}&options=${optionsOf('idle_in_transaction_session_timeout')}`;
    let told = 0;
    const say = (line: string) => {
      if (!line.startsWith('events.log:')) return;
      told += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * LIMIT_MS); // in the transaction
    };
    try {
      const restored = await restore(folder, readConfig({ DATA_DIR: target.path, DATABASE_URL }), say);
      expect({ ...restored, told }).to.deep.include({ repositories: 1, open: [], told: 1 });
    } finally {
      await database.drop();
      await target.remove();
    }
  });
});
