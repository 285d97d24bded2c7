import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.js';
import { connect } from '../../connections.js';
import { makeDataDir } from '../../files/make-data-dir.js';
import { withPostgres } from '../../postgres/lease.js';
import { UsageError } from '../../programs/program.js';
import { DATA_LOCK, lockData } from '../../start/data-lock.js';
import { UNFINISHED_RESTORE } from '../../start/unfinished-restore.js';
import { writeVaultKey } from '../../start/vault-key.js';
import { isEmptyFolder } from '../whole-folder.js';
import { buildReadModels } from './build-read-models.js';
import { checkBackUp } from './check-back-up.js';
import { keyOf } from './kept-key.js';
import { putDatabase, refuseLaterReleases, refuseUsedDatabase } from './put-database.js';
import { putRepositories, type PutRepositories } from './put-repositories.js';

/**
 * Creates an installation from a back-up, in an empty `DATA_DIR` and an empty database; `npm start` then serves it. While
 * the restore is incomplete, a note in `DATA_DIR` prevents servers from starting. Rejects with `UsageError` if the back-up
 * was altered, or if `DATA_DIR` or the database is not empty.
 */
export async function restore(
  folder: string,
  config: Config,
  say: (line: string) => void,
): Promise<PutRepositories & { readonly position: string }> {
  const { dataDir } = config;
  await refuseUsed(config);
  const manifest = await checkBackUp(folder, say);
  await refuseLaterReleases(manifest);
  const vaultKey = await keyOf(folder, manifest, config.vaultKey);

  await makeDataDir(dataDir);
  const lock = await lockData(dataDir);
  try {
    await refuseUsed(config); // again, because `DATA_DIR` may have been used while the back-up was verified
    const note = join(dataDir, UNFINISHED_RESTORE);
    await writeFile(note, `${folder}\n`, { flush: true });
    const put = await withPostgres(config, async (databaseUrl) => {
      await putDatabase(databaseUrl, folder, manifest, say);
      if (!config.vaultKey) await writeVaultKey(dataDir, vaultKey);
      const connections = await connect(
        { ...config, databaseUrl, vaultKey },
        { applicationName: 'tallyforge-restore', onError: () => undefined },
      );
      try {
        const repositories = await putRepositories(connections, config, folder, say);
        const refused = await buildReadModels(connections);
        say(`read models: ${refused === undefined ? 'built' : 'npm start builds them'}`);
        return { ...repositories, open: [...repositories.open, ...(refused === undefined ? [] : [refused])] };
      } finally {
        await connections.close();
      }
    });
    await rm(note);
    return { ...put, position: manifest.position };
  } finally {
    lock.release();
  }
}

/** A refused restore may have left the lock file, so that does not count as used. */
async function refuseUsed({ dataDir, databaseUrl }: Config): Promise<void> {
  if (!(await isEmptyFolder(dataDir, DATA_LOCK)))
    throw new UsageError(`${dataDir} is not empty`, 'set DATA_DIR to a new folder');
  if (databaseUrl !== undefined) await refuseUsedDatabase(databaseUrl);
}
