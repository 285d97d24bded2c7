import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 } from 'uuid';
import { backUp } from '../../src/backup/back-up.js';
import { restore } from '../../src/backup/restore/restore.js';
import { readConfig } from '../../src/config.js';
import { Database } from '../../src/database/database.js';
import { openGit } from '../../src/git/open-git.js';
import { startApi, VERSION, type TestApi } from '../support/api.js';
import { dataDir } from '../support/data-dir.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

describe('a back-up that was made while an account was being edited', () => {
  let api: TestApi;
  let folder: string;
  let target: Awaited<ReturnType<typeof dataDir>>;
  let database: TestDatabase;

  before(async () => {
    api = await startApi();
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-backup-'));
    target = await dataDir();
    database = await testDatabase();
  });
  after(async () => {
    await api.stop();
    await database.drop();
    await target.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('is restored with the edit, which closes the account until it is known what became of it', async () => {
    const { connections } = api;
    const { id } = (await api.admin.get('/user')).json as { id: number };
    await connections.vault.credentials.announce(id, { id: v4(), prohibited: true });
    await backUp(folder, {
      connections,
      git: await openGit({ folder: join(api.dataDir, 'repositories') }),
      version: VERSION,
      vaultKey: Buffer.from(api.environment.VAULT_KEY ?? '', 'hex'),
      withKeys: true,
      say: () => undefined,
    });

    const config = readConfig({ DATA_DIR: target.path, DATABASE_URL: database.url });
    expect(await restore(folder, config, () => undefined)).to.deep.include({ open: [] });
    const restored = new Database({ url: database.url, applicationName: 'test' });
    try {
      expect(await restored.rows('select account_id, prohibited from vault.account_edits')).to.deep.equal([
        { account_id: id, prohibited: true },
      ]);
    } finally {
      await restored.close();
    }
  });
});
