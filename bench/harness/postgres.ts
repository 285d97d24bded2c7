import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/migrate/migrate.js';
import { embeddedUrl } from '../../src/postgres/connection.js';
import { leasePostgres } from '../../src/postgres/lease.js';

/** The embedded PostgreSQL as `npm start` runs it, durable, on data of its own. */
export interface BenchServer {
  /** A fresh database with an empty event log. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

export async function startServer(): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyforge-bench-'));
  await chmod(dataDir, 0o711); // the server's user passes through
  const lease = await leasePostgres({ databaseUrl: undefined, dataDir });
  return {
    async database() {
      const name = `bench_${randomBytes(4).toString('hex')}`;
      await run(lease.url, `create database ${name}`);
      const url = await embeddedUrl(dataDir, name);
      await migrate(url, ['events', 'vault', 'projector']);
      return url;
    },
    async stop() {
      await lease.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs statements on a connection of their own. */
export async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
