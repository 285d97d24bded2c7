import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readlink, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fsync } from '../files/durable.js';
import type { Binaries } from './binaries.js';
import { CLUSTER, DATABASE_USER, PASSWORD_FILE } from './connection.js';
import { makeSharedFolder, SHARED_FOLDER } from './reachable.js';
import { createCluster } from './server-process.js';
import { canReach, type SystemUser } from './server-user.js';

/**
 * Makes sure that `dataDir` has a cluster, and returns the cluster's real folder. It is `DATA_DIR/postgres`; if the
 * server's user cannot enter `dataDir`, that is a link to a folder below `/var/lib/tallyforge`. A crash on the way leaves
 * nothing that looks complete, and a power failure afterwards takes nothing of it. The caller must hold the lock of
 * `dataDir`'s server.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  say: (line: string) => void,
): Promise<string> {
  const cluster = join(dataDir, CLUSTER);
  if (!existsSync(cluster)) {
    const link = await readlink(cluster).catch(() => undefined);
    if (link !== undefined)
      throw new Error(`${cluster} is a link to ${link}, where nothing is: put the database back there`);
    if (!user || canReach(user, dataDir)) {
      const unfinished = `${cluster}.unfinished`;
      await rm(unfinished, { recursive: true, force: true });
      await initialise(unfinished, binaries, user);
      await rename(unfinished, cluster);
    } else {
      const elsewhere = join(SHARED_FOLDER, `cluster-${randomBytes(8).toString('hex')}`);
      say(`the server's user cannot enter ${dataDir}: the database is kept in ${elsewhere}`);
      await makeSharedFolder(user);
      await initialise(elsewhere, binaries, user);
      await fsync(SHARED_FOLDER);
      await symlink(elsewhere, cluster);
    }
    await fsync(dataDir); // without its entry there, a later start would make another cluster
  }
  return realpath(cluster);
}

/**
 * Returns the user that must run the server of an existing cluster: its owner, if this process is root. A cluster that
 * root owns, such as a copy made by root, is given to `user`.
 */
export async function ownerOf(
  cluster: string,
  user: SystemUser | undefined,
): Promise<SystemUser | undefined> {
  if (!user) return undefined;
  const { uid, gid } = await stat(cluster);
  if (uid !== 0) return { uid, gid };
  execFileSync('chown', ['--recursive', '--no-dereference', `${user.uid}:${user.gid}`, '--', cluster]);
  return user;
}

async function initialise(folder: string, binaries: Binaries, user: SystemUser | undefined): Promise<void> {
  const password = `${folder}.password`; // beside the folder, because initdb wants it empty
  try {
    await mkdir(folder, { mode: 0o700 });
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    if (user) for (const path of [folder, password]) await chown(path, user.uid, user.gid);
    createCluster(binaries, folder, user, [
      `--username=${DATABASE_USER}`,
      '--auth=scram-sha-256',
      `--pwfile=${password}`,
      '--data-checksums',
    ]);
    await rename(password, join(folder, PASSWORD_FILE));
    await fsync(folder);
  } catch (error) {
    for (const path of [folder, password]) await rm(path, { recursive: true, force: true });
    throw error;
  }
}
