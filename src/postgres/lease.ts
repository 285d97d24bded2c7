import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Config } from '../config.js';
import { tryLock, type FileLock } from '../files/file-lock.js';
import { makeDataDir } from '../files/make-data-dir.js';
import { isNotUp, refusalOf } from './admission.js';
import { CLUSTER, embeddedUrl, LEASE_NAME } from './connection.js';
import { refuseOthersCluster } from './home.js';
import { LOG_FOLDER } from './settings.js';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { Client } from '../database/client.js';

const { postgresLease: LEASE } = ADVISORY_LOCKS;

/** Keeps a PostgreSQL running until it is released. */
export interface PostgresLease {
  readonly url: string;
  /** Resolves if the server goes away while the lease is held; never for a server that is not embedded. */
  readonly lost: Promise<void>;
  /**
   * Releases the lease. The last lease of an embedded server stops it and waits for its end; not for a server that stands
   * still, which ends by itself once it goes on.
   */
  release(): Promise<void>;
}

const KEEPER = fileURLToPath(new URL('keeper.js', import.meta.url));
const LOCK_FILE = 'postgres.lock';
const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 5_000;
/** How long the server may owe an answer to whoever takes or releases a lease: one that stands still is left behind. */
const SILENCE_MS = 1_500;

/** Runs `work` with the URL of the database. An embedded server is started for it if it does not run. */
export async function withPostgres<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const lease = await leasePostgres(config);
  try {
    return await work(lease.url);
  } finally {
    await lease.release();
  }
}

/**
 * Leases the configured PostgreSQL, or the embedded one of `dataDir`, which is started if it does not run. `say` receives
 * what an operator should know about the start. Rejects with the server's own message if it cannot start.
 */
export async function leasePostgres(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  say: (line: string) => void = () => undefined,
): Promise<PostgresLease> {
  if (databaseUrl !== undefined) {
    return { url: databaseUrl, lost: new Promise(() => undefined), release: () => Promise.resolve() };
  }
  await makeDataDir(dataDir);
  await refuseOthersCluster(dataDir);
  forgetOtherServers();
  const client = await joinServer(dataDir, say);
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  return { url: await embeddedUrl(dataDir), lost, release: () => release(client, dataDir) };
}

/** Removes the shell's settings for another PostgreSQL (`PGPORT`, `PGSSLMODE`), because pg completes every URL with them. */
function forgetOtherServers(): void {
  for (const name of Object.keys(process.env))
    if (name.startsWith('PG')) Reflect.deleteProperty(process.env, name);
}

async function joinServer(dataDir: string, say: (line: string) => void): Promise<pg.Client> {
  const deadline = performance.now() + START_DEADLINE_MS;
  let keeper: StartedKeeper | undefined;
  try {
    while (performance.now() < deadline) {
      const client = await takeLease(dataDir);
      if (client) return client;
      if (keeper?.failed()) throw new Error(keeper.words());
      if (!keeper?.runs()) {
        // The lock is held while another process's server starts or stops; then the next round looks again.
        const lock = tryLock(join(dataDir, LOCK_FILE));
        if (lock) keeper = startKeeper(dataDir, lock);
      }
      await sleep(30);
    }
    throw new Error(
      `the PostgreSQL of ${dataDir} did not answer in ${START_DEADLINE_MS / 1000} s: ${join(dataDir, CLUSTER, LOG_FOLDER)} has what it says`,
    );
  } finally {
    keeper?.leave(say);
  }
}

/** Opens a connection that holds the lease; returns undefined if no server runs, or if it is starting or stopping. */
async function takeLease(dataDir: string): Promise<pg.Client | undefined> {
  let client: pg.Client | undefined;
  try {
    client = new Client({
      connectionString: await embeddedUrl(dataDir),
      application_name: LEASE_NAME,
      silenceMs: SILENCE_MS,
    });
    client.on('error', () => undefined); // the 'end' event follows
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [LEASE]);
    return client;
  } catch (error) {
    await client?.end().catch(() => undefined);
    if (isNotUp(error)) return undefined;
    throw refusalOf(error, dataDir);
  }
}

interface StartedKeeper {
  runs(): boolean;
  failed(): boolean;
  /** Its output so far. */
  words(): string;
  /** Detaches the keeper so that it outlives this process, and passes its output so far to `say`. */
  leave(say: (line: string) => void): void;
}

function startKeeper(dataDir: string, lock: FileLock): StartedKeeper {
  const child = spawnKeeper(dataDir, lock);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words += text));
  child.on('error', (error) => (words += error.message));
  return {
    runs: () => child.exitCode === null && child.signalCode === null,
    failed: () => child.exitCode !== null && child.exitCode !== 0,
    words: () => words.trim(),
    leave(say) {
      words.split('\n').filter(Boolean).forEach(say);
      child.stderr?.destroy();
      child.unref();
    },
  };
}

function spawnKeeper(dataDir: string, lock: FileLock): ChildProcess {
  try {
    return spawn(process.execPath, [KEEPER, dataDir], {
      detached: true,
      cwd: '/',
      env: { PATH: process.env.PATH }, // not our environment: it may hold secrets, and settings for another server
      stdio: ['ignore', 'ignore', 'pipe', lock.fd],
    });
  } finally {
    lock.release(); // the keeper, if it started, holds the lock through its own descriptor
  }
}

async function release(client: pg.Client, dataDir: string): Promise<void> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [LEASE]);
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) last', [LEASE]);
    if (!rows[0]?.last) return;
    const [postmaster] = (await readFile(join(dataDir, CLUSTER, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(postmaster), 'SIGINT');
    await serverIsGone(dataDir);
  } catch {
    // The server has gone already, or stands still.
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function serverIsGone(dataDir: string): Promise<void> {
  const deadline = performance.now() + STOP_DEADLINE_MS;
  while (performance.now() < deadline) {
    const lock = tryLock(join(dataDir, LOCK_FILE));
    if (lock) {
      lock.release();
      return;
    }
    await sleep(20);
  }
}
