import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 } from 'uuid';
import { backUp } from '../../src/backup/back-up.js';
import { packName } from '../../src/backup/packs.js';
import { restore } from '../../src/backup/restore/restore.js';
import { SUMS, sumOf } from '../../src/backup/summed-files.js';
import { readConfig } from '../../src/config.js';
import { openGit } from '../../src/git/open-git.js';
import { startApi, VERSION, type TestApi } from '../support/api.js';
import { dataDir } from '../support/data-dir.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

describe('a restore of what is not whole', () => {
  let api: TestApi;
  let folder: string;
  let target: Awaited<ReturnType<typeof dataDir>>;
  let database: TestDatabase;
  let damaged: number;

  before(async () => {
    api = await startApi();
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-backup-'));
    target = await dataDir();
    database = await testDatabase();
    damaged = (
      (await api.admin.post('/user/repos', { name: 'damaged', auto_init: true })).json as { id: number }
    ).id;
    await api.admin.post('/user/repos', { name: 'whole', auto_init: true });
  });
  after(async () => {
    await api.stop();
    await database.drop();
    await target.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('puts back all but what it names: objects that git does not take, an event that a read model does not', async () => {
    const { connections } = api;
    const at = new Date().toISOString();
    const report = { repositoryId: damaged, reportedAt: 'at no time' };
    const metadata = { at, $correlationId: v4() };
    await connections.log.append(
      `status-${damaged}`,
      'noStream',
      [{ type: 'CommitStatusReported', data: report }],
      metadata,
      v4(),
    );
    const vaultKey = Buffer.from(api.environment.VAULT_KEY ?? '', 'hex');
    await backUp(folder, {
      connections,
      git: await openGit({ folder: join(api.dataDir, 'repositories') }),
      version: VERSION,
      vaultKey,
      withKeys: true,
      say: () => undefined,
    });
    await replace(folder, packName(damaged, 0), 'no pack');

    const config = readConfig({ DATA_DIR: target.path, DATABASE_URL: database.url });
    const { repositories, open } = await restore(folder, config, () => undefined);
    expect(repositories).to.equal(2);
    expect(open.join('\n'))
      .to.match(new RegExp(`^repository ${damaged}: git cannot take .*${damaged}.0.pack`))
      .and.match(/^commit-statuses cannot take CommitStatusReported/m)
      .and.not.match(new RegExp(`^repository (?!${damaged}:)`, 'm'));
  });
});

/** Puts other content into a back-up, as if it had been written so. */
async function replace(folder: string, name: string, content: string): Promise<void> {
  await writeFile(join(folder, name), content);
  const sums = await readFile(join(folder, SUMS), 'utf8');
  const digest = createHash('sha256').update(content).digest('hex');
  await writeFile(join(folder, SUMS), sums.replace(new RegExp(`^.* {2}${name}$`, 'm'), `${digest}  ${name}`));
  const manifest = join(folder, 'manifest.json');
  const described = JSON.parse(await readFile(manifest, 'utf8')) as object;
  await writeFile(manifest, JSON.stringify({ ...described, sums: await sumOf(join(folder, SUMS)) }));
}
