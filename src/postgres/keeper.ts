/**
 * The process that owns the embedded PostgreSQL of one `DATA_DIR`: `keeper.js <DATA_DIR>`. It starts the server, stops it
 * when no process holds a lease any more (see `lease.ts`), and the server ends with it if it dies. File descriptor 3 is
 * the locked `postgres.lock`; the server keeps it open too, so the lock is free only when both have ended.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isNotUp, refusalOf } from './admission.js';
import { packagedBinaries } from './binaries.js';
import { ensureCluster, ownerOf } from './cluster.js';
import { DATABASE, embeddedUrl, LEASE_NAME, SOCKET, socketFolder } from './connection.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { connectTo } from '../database/client.js';
import type { DatabaseUnavailable } from '../database/unavailable.js';
import { noteHome } from './home.js';
import { reachableBinaries } from './reachable.js';
import { spawnServer } from './server-process.js';
import { canReach, serverUser, type SystemUser } from './server-user.js';
import { LOG_FOLDER, settings } from './settings.js';

const { postgresLease: LEASE } = ADVISORY_LOCKS;

const LOCK_FD = 3;
/** The name of our own sessions. */
const OWN_NAME = 'tallyforge-keeper';
const CHECK_EVERY_MS = 500;
/** How many successive checks must find no lease before the server stops; more before the first lease. */
const IDLE_CHECKS = 2;
const FIRST_LEASE_CHECKS = 20;

// Messages go to the process that started this one, which may have ended.
const say = (line: string) => process.stderr.write(`${line}\n`);
process.stderr.on('error', () => undefined);

let hurry = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => (hurry = true));

async function keep(dataDir: string): Promise<void> {
  const runsAs = serverUser();
  const binaries = await reachableBinaries(await packagedBinaries(), runsAs);
  const cluster = await ensureCluster(dataDir, binaries, runsAs, say);
  const user = await ownerOf(cluster, runsAs);
  if (user && !canReach(user, cluster))
    throw new Error(
      `the user of the database cannot enter ${cluster}: let all pass through every folder above it (chmod a+x), or move it elsewhere, leaving a link to it`,
    );
  await noteHome(cluster, dataDir, user);
  const sockets = await openSocketFolder(cluster, user);
  // This process holds the lock, so no server runs: these files are left from a crash. Their process ids may belong to
  // other programs by now.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  for (const name of await readdir(sockets)) if (name.startsWith(SOCKET)) await rm(join(sockets, name));

  const begun = Date.now();
  const server = spawnServer(binaries, cluster, user, settings(sockets), LOCK_FD);
  let log = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4000)));
  const exited = once(server, 'exit').then(() => false);

  try {
    const isUp = await Promise.race([createDatabase(dataDir), exited]);
    if (isUp) await Promise.race([nobodyIsThere(dataDir), exited]);
    else if (!hurry)
      throw new Error(`PostgreSQL did not start:\n${log.trim()}${await loggedSince(cluster, begun)}`);
  } finally {
    server.kill('SIGINT'); // also after an error: a server that still starts is not told yet that this process ends
    await exited;
  }
}

/** Returns the last lines of the server's own log, which it writes soon after its start; nothing if there is none. */
async function loggedSince(cluster: string, begun: number): Promise<string> {
  const folder = join(cluster, LOG_FOLDER);
  const names = await readdir(folder).catch(() => []);
  const paths = names.map((name) => join(folder, name));
  const times = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
  const path = paths.find((_, index) => (times[index] ?? 0) >= begun);
  if (path === undefined) return '';
  const { stdout } = spawnSync('tail', ['--lines=500', '--', path], { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  // Leaves out the server's replies to our own attempts to connect.
  const telling = lines.filter((line) => !line.includes('FATAL:  the database system is'));
  return `\n${path}:\n${telling.slice(-10).join('\n')}`;
}

async function openSocketFolder(cluster: string, user: SystemUser | undefined): Promise<string> {
  const folder = socketFolder(cluster);
  if (folder === cluster) return folder;
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  if (user && (await lstat(folder)).uid === 0) await chown(folder, user.uid, user.gid);
  const found = await lstat(folder);
  const owner = user?.uid ?? process.getuid?.();
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} belongs to somebody else: remove it, or choose a shorter DATA_DIR`);
  }
  return folder;
}

/**
 * Waits for the server, and creates the database on its first start. Returns false if a signal told this process to end
 * before. Rejects if the server refuses us, as it would each time.
 */
async function createDatabase(dataDir: string): Promise<boolean> {
  const url = await embeddedUrl(dataDir, 'postgres');
  while (!hurry) {
    const client = await connectTo(url, OWN_NAME).catch((error: unknown) => {
      const { cause } = error as DatabaseUnavailable;
      if (!isNotUp(cause)) throw refusalOf(cause, dataDir);
    });
    if (client) {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
      await client.end();
      return true;
    }
    await sleep(20);
  }
  return false;
}

/** Resolves when no process has held a lease for a while; new leases are locked out from then on. */
async function nobodyIsThere(dataDir: string): Promise<void> {
  let client: pg.Client | undefined;
  let patience = FIRST_LEASE_CHECKS;
  let idle = 0;
  for (;;) {
    try {
      client ??= await connectTo(await embeddedUrl(dataDir), OWN_NAME);
      if (await isLeased(client)) {
        patience = IDLE_CHECKS;
        idle = 0;
      } else if ((++idle >= patience || hurry) && (await lockOut(client))) return;
    } catch {
      client = undefined; // the server is recovering from the crash of one of its sessions
    }
    await sleep(CHECK_EVERY_MS);
  }
}

/** Looks for leases without taking their lock, by which whoever releases one finds out that it is the last. */
async function isLeased(client: pg.Client): Promise<boolean> {
  const sql = 'select from pg_stat_activity where application_name = $1 limit 1';
  return (await client.query(sql, [LEASE_NAME])).rowCount === 1;
}

async function lockOut(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) free', [LEASE]);
  return rows[0]?.free === true;
}

const [dataDir = ''] = process.argv.slice(2);
await keep(dataDir).catch((error: unknown) => {
  say((error as Error).message);
  process.exitCode = 1;
});
process.exit(); // the check for leases may still be waiting
