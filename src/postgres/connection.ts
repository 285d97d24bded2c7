import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** The cluster's folder, or a link to it, in `DATA_DIR`. */
export const CLUSTER = 'postgres';
/** The file with the database user's password, in the cluster's folder, mode 600. */
export const PASSWORD_FILE = 'tallyforge-password';
export const DATABASE_USER = 'tallyforge';
export const DATABASE = 'tallyforge';
export const SOCKET = '.s.PGSQL.5432';
/** The name of the sessions that keep the embedded server running. */
export const LEASE_NAME = 'tallyforge-lease';

/** The maximum length of a Unix socket's path, in bytes, imposed by the kernel. */
const LONGEST_SOCKET_PATH = 107;

/**
 * Returns the folder of the server's socket: the cluster's, which no other user can enter, or one with the same
 * permissions in `/tmp` if the path is too long for a socket.
 */
export function socketFolder(cluster: string): string {
  if (Buffer.byteLength(join(cluster, SOCKET)) <= LONGEST_SOCKET_PATH) return cluster;
  return `/tmp/tallyforge-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
}

/** Returns the URL of the embedded server of `dataDir`, running or not. Rejects with ENOENT if it has no cluster yet. */
export async function embeddedUrl(dataDir: string, database = DATABASE): Promise<string> {
  const cluster = await realpath(join(dataDir, CLUSTER));
  const password = await readFile(join(cluster, PASSWORD_FILE), 'utf8');
  const host = encodeURIComponent(socketFolder(cluster));
  return `postgresql://${DATABASE_USER}:${password}@/${database}?host=${host}`;
}
