import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import pg from 'pg';
import { packagedBinaries } from '../../src/postgres/binaries.js';
import { reachableBinaries } from '../../src/postgres/reachable.js';
import { createCluster, spawnServer } from '../../src/postgres/server-process.js';
import { serverUser } from '../../src/postgres/server-user.js';

export interface TestDatabase {
  readonly name: string;
  /** For node-postgres: `postgresql://postgres@/test_1?host=/tmp/…`. */
  readonly url: string;
  /** `alter database …`: settings hold for sessions that begin after it. */
  readonly alter: (clause: string) => Promise<void>;
  /** Cuts every session and drops the database. */
  drop(): Promise<void>;
}

interface TestServer {
  readonly folder: string;
  readonly process: ChildProcess;
  /** Creates and drops databases. */
  readonly client: pg.Client;
}

export const PREFIX = 'tallyforge-test-';

/** What a server of the tests runs with, besides where its socket is. */
export const SETTINGS = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: 100,
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  autovacuum: 'off',
} as const;

let server: Promise<TestServer> | undefined;
let databases = 0;

/**
 * A fresh database on the one server of this process, which is started on first use and does not fsync: empty, or a copy
 * of `template`, to which nobody may be connected.
 */
export async function testDatabase(template = 'template0'): Promise<TestDatabase> {
  server ??= startTestServer();
  const { folder, client } = await server;
  const name = `test_${++databases}`;
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  return {
    name,
    url: urlOf(folder, name),
    alter: async (clause) => void (await client.query(`alter database ${name} ${clause}`)),
    drop: async () => void (await client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** Where the server of this process is, data and socket. */
export async function primaryFolder(): Promise<string> {
  server ??= startTestServer();
  return (await server).folder;
}

/** Stops the server and removes its files, after the last test or after a failure. */
async function stopTestServer(): Promise<void> {
  if (!server) return;
  const { folder, process, client } = await server;
  server = undefined;
  await client.end();
  await stopServer(process);
  await rm(folder, { recursive: true, force: true });
}

/** Ends a server at once; nothing is worth keeping. */
export async function stopServer(server: ChildProcess): Promise<void> {
  const exited = server.exitCode === null && server.signalCode === null && once(server, 'exit');
  server.kill('SIGQUIT');
  await exited;
}

after('stop the PostgreSQL of the tests', stopTestServer);

async function startTestServer(): Promise<TestServer> {
  await removeLeftovers();
  const user = serverUser();
  const binaries = await reachableBinaries(await packagedBinaries(), user);
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (user) await Promise.all([chown(folder, user.uid, user.gid), chown(data, user.uid, user.gid)]);
  createCluster(binaries, data, user, ['--username=postgres', '--auth=trust', '--no-sync']);
  const child = spawnServer(binaries, data, user, {
    ...SETTINGS,
    unix_socket_directories: folder,
  });
  await ready(child);
  const client = new pg.Client(urlOf(folder, 'postgres'));
  await client.connect();
  return { folder, process: child, client };
}

export function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`the PostgreSQL of the tests did not start:\n${log}`));
    });
    child.once('error', reject);
  });
}

/** A test run that was killed could not tidy up; its server is gone, its folder is not. */
async function removeLeftovers(): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    const pid = entry.startsWith(PREFIX) && Number(entry.slice(PREFIX.length).split('-')[0]);
    if (pid && !isAlive(pid)) await rm(join(tmpdir(), entry), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const urlOf = (folder: string, database: string) => `postgresql://postgres@/${database}?host=${folder}`;
