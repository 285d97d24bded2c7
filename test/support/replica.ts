import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { packagedBinaries } from '../../src/postgres/binaries.js';
import { reachableBinaries } from '../../src/postgres/reachable.js';
import { spawnServer } from '../../src/postgres/server-process.js';
import { serverUser } from '../../src/postgres/server-user.js';
import { primaryFolder, ready, SETTINGS, stopServer, PREFIX } from './postgres.js';
import { until } from './process.js';

/** A streaming replica of the tests' PostgreSQL, every database of it. */
export interface TestReplica {
  /** The address, here, of a database there. */
  urlOf(database: string): string;
  /** What arrives from now on is not shown until it is resumed. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** To each of its processes. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** As a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** What belongs to the server that is copied, and not to its copy. */
const LEFT_OUT = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'];

/** Copies the running server as pg_basebackup would, which the embedded PostgreSQL does not have. */
export async function testReplica(): Promise<TestReplica> {
  const primary = await primaryFolder();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-replica-`));
  const data = join(folder, 'data');
  const user = serverUser();
  const binaries = await reachableBinaries(await packagedBinaries(), user);
  if (user) await chown(folder, user.uid, user.gid);
  await copyCluster(primary, data, user);

  const start = async () => {
    const child = spawnServer(binaries, data, user, {
      ...SETTINGS,
      unix_socket_directories: folder,
      primary_conninfo: `host=${primary} user=postgres`,
      primary_slot_name: SLOT,
      wal_retrieve_retry_interval: '100ms',
    });
    await ready(child);
    return child;
  };
  let server = await start();
  const ask = (statement: string) => tell(folder, (client) => client.query(statement));
  return {
    urlOf: (database) => database.replace(primary, folder),
    async pauseReplay() {
      await ask('select pg_wal_replay_pause()'); // which only asks for it
      await until(async () => {
        const { rows } = await ask('select pg_get_wal_replay_pause_state() as state');
        return (rows[0] as { state: string }).state === 'paused';
      });
    },
    async resumeReplay() {
      await ask('select pg_wal_replay_resume()');
    },
    async signal(name) {
      const { pid = 0 } = server;
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
      for (const each of [pid, ...children.trim().split(' ').map(Number)]) process.kill(each, name);
    },
    kill: () => stopServer(server),
    async start() {
      server = await start();
    },
    async remove() {
      await stopServer(server);
      await tell(primary, (client) => client.query(`select pg_drop_replication_slot('${SLOT}')`));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const SLOT = 'test_replica';

async function copyCluster(
  primary: string,
  data: string,
  user: ReturnType<typeof serverUser>,
): Promise<void> {
  await tell(primary, async (client) => {
    // The slot keeps what the copy will ask for.
    await client.query(`select pg_create_physical_replication_slot('${SLOT}', true)`);
    await client.query(`select pg_backup_start('replica', true)`);
    await promisify(execFile)('cp', ['--archive', join(primary, 'data'), data]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await rm(join(data, 'postmaster.pid'), { force: true });
    const made: string[] = [];
    for (const name of LEFT_OUT) {
      await rm(join(data, name), { recursive: true, force: true });
      await mkdir(join(data, name), { mode: 0o700 });
      made.push(name);
    }
    await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(data, 'standby.signal'), '');
    made.push('backup_label', 'standby.signal');
    if (user) for (const name of made) await chown(join(data, name), user.uid, user.gid);
  });
}

async function tell<T>(folder: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(`postgresql://postgres@/postgres?host=${folder}`);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
