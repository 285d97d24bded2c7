import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { binariesIn, installationOf, type Binaries } from './binaries.js';
import { canReach, type SystemUser } from './server-user.js';

/** Where root keeps what the server's user must reach and cannot where it is. */
export const SHARED_FOLDER = '/var/lib/tallyforge';

/**
 * The same programs where `user` can run them: in place, or copied below `SHARED_FOLDER` when a folder above them is
 * closed to that user (a checkout in root's home).
 */
export async function reachableBinaries(binaries: Binaries, user: SystemUser | undefined): Promise<Binaries> {
  if (!user || canReach(user, binaries.postgres)) return binaries;
  const installation = installationOf(binaries);
  const copy = join(SHARED_FOLDER, `postgresql-${await versionOf(installation)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    await mkdir(SHARED_FOLDER, { recursive: true, mode: 0o755 });
    try {
      await cp(installation, unfinished, { recursive: true, verbatimSymlinks: true });
      await rename(unfinished, copy);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // else another process was faster
    }
  }
  return binariesIn(copy);
}

async function versionOf(installation: string): Promise<string> {
  const manifest = await readFile(join(installation, '..', 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
