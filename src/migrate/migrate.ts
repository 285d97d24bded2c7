import type pg from 'pg';
import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { connectTo } from '../database/client.js';
import { queryableOf } from '../database/queryable.js';
import { liftTimeLimits } from '../database/time-limits.js';
import { MIGRATIONS, readMigrations, type MigrationFile } from './migration-files.js';
import { refusePooler } from './own-sessions.js';

/** The applied migrations in the database and the files differ; nothing was changed. */
export class MigrationMismatch extends Error {
  override readonly name = 'MigrationMismatch';
}

/** The database has an encoding that cannot represent all characters of texts, and was not changed. */
export class NotUnicode extends Error {
  override readonly name = 'NotUnicode';
  constructor(encoding: string) {
    super(
      `the database is kept in ${encoding}, which lacks most characters: set DATABASE_URL to one in UTF8`,
    );
  }
}

/**
 * Applies the new files of `migrations/<folder>/*.sql`, folder by folder, each folder in one transaction, and returns the
 * names of those applied (`events/0001-log.sql`). Names inside the files are qualified with their schema. Concurrent
 * callers wait for each other. Throws `MigrationMismatch` if an applied file has changed or is missing, `NotUnicode` and
 * `PooledDatabase`. With `wanted`, applies only the files that it selects, to create a database of an earlier release.
 */
export async function migrate(
  url: string,
  folders: readonly string[],
  root: URL = MIGRATIONS,
  wanted: (folder: string, name: string) => boolean = () => true,
): Promise<string[]> {
  const client = await connectTo(url, 'tallyforge-migrate');
  try {
    await refuseOtherEncodings(client);
    await refusePooler(client, url);
    await liftTimeLimits(queryableOf(client), 'session'); // large tables take their time, and so may others who migrate
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]); // released with the session
    await client.query(`
      create schema if not exists migrations;
      create table if not exists migrations.applied (
        folder     text not null,
        name       text not null,
        sha256     text not null,
        applied_at timestamptz not null default now(),
        primary key (folder, name)
      )`);
    const applied: string[] = [];
    for (const folder of folders) applied.push(...(await migrateFolder(client, folder, root, wanted)));
    return applied;
  } finally {
    await client.end();
  }
}

async function refuseOtherEncodings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding');
  for (const { server_encoding: encoding } of rows) if (encoding !== 'UTF8') throw new NotUnicode(encoding);
}

async function migrateFolder(
  client: pg.Client,
  folder: string,
  root: URL,
  wanted: (folder: string, name: string) => boolean,
): Promise<string[]> {
  const files = (await readMigrations(folder, root)).filter(({ name }) => wanted(folder, name));
  const { rows: known } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations.applied where folder = $1 order by name',
    [folder],
  );
  known.forEach(({ name, sha256 }, index) => {
    const file = files[index];
    if (file?.name !== name)
      throw new MigrationMismatch(
        `migration ${folder}/${name} was applied to this database, and this release does not have it: ` +
          'start the release that applied it, or a later one',
      );
    if (file.sha256 !== sha256)
      throw new MigrationMismatch(
        `migration ${folder}/${name} was changed after it was applied: put its file back as it was`,
      );
  });

  const fresh = files.slice(known.length);
  if (fresh.length > 0) await apply(client, folder, fresh);
  return fresh.map(({ name }) => `${folder}/${name}`);
}

async function apply(client: pg.Client, folder: string, files: readonly MigrationFile[]): Promise<void> {
  await client.query('begin');
  try {
    for (const { name, text, sha256 } of files) {
      await client.query(text).catch((cause: unknown) => {
        throw new Error(`migration ${folder}/${name}: ${(cause as Error).message}`, { cause });
      });
      await client.query('insert into migrations.applied (folder, name, sha256) values ($1, $2, $3)', [
        folder,
        name,
        sha256,
      ]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection may be lost, and the transaction with it
    throw error;
  }
}
