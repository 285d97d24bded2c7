import { chown, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLUSTER } from './connection.js';
import type { SystemUser } from './server-user.js';

/** The file with the path of the `DATA_DIR` of a cluster, in the cluster's folder. */
const HOME_FILE = 'tallyforge-data-dir';

/**
 * Rejects if the cluster of `dataDir` is, by a link, that of another `DATA_DIR` which is still there: one of them is a copy
 * of the other, with the link in it. Both would write to one database, and each to repositories of its own.
 */
export async function refuseOthersCluster(dataDir: string): Promise<void> {
  const cluster = await ifAny(realpath(join(dataDir, CLUSTER)));
  const home = cluster !== undefined && (await readHome(cluster));
  if (!home || (await ifAny(realpath(join(home, CLUSTER)))) !== cluster || (await areSame(home, dataDir)))
    return;
  throw new Error(
    `${join(dataDir, CLUSTER)} is a link to the database of ${home}: to copy that, copy it again with tar --dereference; to move it, remove ${join(home, CLUSTER)}`,
  );
}

/** Notes in a cluster that is linked from `dataDir` that it belongs there. `user` is who runs the server, if not this one. */
export async function noteHome(
  cluster: string,
  dataDir: string,
  user: SystemUser | undefined,
): Promise<void> {
  if (cluster === join(await realpath(dataDir), CLUSTER) || (await readHome(cluster)) === dataDir) return;
  const file = join(cluster, HOME_FILE);
  await writeFile(file, dataDir, { mode: 0o600 });
  if (user) await chown(file, user.uid, user.gid);
}

const readHome = (cluster: string) => ifAny(readFile(join(cluster, HOME_FILE), 'utf8'));

async function areSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  return first.dev === second.dev && first.ino === second.ino;
}

/** Resolves as the call does; with undefined if that is not there, or closed to this user. */
const ifAny = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);
