import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.js';
import { binariesIn, installationOf, type Binaries } from './binaries.js';
import { canReach, type SystemUser } from './server-user.js';

/** The folder in which root keeps files that the server's user cannot reach in their own place. */
export const SHARED_FOLDER = '/var/lib/tallyforge';

/** Creates that folder if it is missing, and makes it passable for `user` whatever root's umask is. */
export async function makeSharedFolder(user: SystemUser, folder = SHARED_FOLDER): Promise<void> {
  await makeFolder(folder, 0o755);
  if (!canReach(user, folder)) await chmod(folder, 0o755);
}

/**
 * Returns the programs where `user` can run them: in place, or copied below `SHARED_FOLDER` if a folder above them is
 * closed to that user, as in a checkout in root's home.
 */
export async function reachableBinaries(binaries: Binaries, user: SystemUser | undefined): Promise<Binaries> {
  if (!user || canReach(user, binaries.postgres)) return binaries;
  const installation = installationOf(binaries);
  const copy = join(SHARED_FOLDER, `postgresql-${await versionOf(installation)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    await makeSharedFolder(user);
    try {
      await cp(installation, unfinished, { recursive: true, verbatimSymlinks: true });
      execFileSync('sync', ['--file-system', unfinished]); // what is there is taken to be whole
      await rename(unfinished, copy);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // otherwise another process was faster
    }
  }
  return binariesIn(copy);
}

async function versionOf(installation: string): Promise<string> {
  const manifest = await readFile(join(installation, '..', 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
