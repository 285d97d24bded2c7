import { join } from 'node:path';
import { connectTo } from '../../database/client.js';
import { queryableOf } from '../../database/queryable.js';
import { liftTimeLimits } from '../../database/time-limits.js';
import { migrate } from '../../migrate/migrate.js';
import { readMigrations } from '../../migrate/migration-files.js';
import { UsageError } from '../../programs/program.js';
import { MIGRATION_FOLDERS } from '../../start/prepare.js';
import { keptSchemas } from '../kept-schemas.js';
import type { Manifest } from '../manifest.js';
import { inOrderOfReference, putRows } from '../tables.js';

const APPLICATION = 'tallyforge-restore';

/**
 * Restores the tables of a back-up into an empty database: creates them with the migrations of the back-up, fills them in
 * one transaction, and then applies the migrations of this release.
 */
export async function putDatabase(
  url: string,
  folder: string,
  { migrations, tables }: Manifest,
  say: (line: string) => void,
): Promise<void> {
  const then = new Set(migrations.map(nameOf));
  const client = await connectTo(url, APPLICATION);
  try {
    const areas = [...new Set(migrations.map(({ folder: area }) => area))];
    await migrate(url, areas, undefined, (area, name) => then.has(`${area}/${name}`));
    await client.query('begin');
    await liftTimeLimits(queryableOf(client)); // large tables take their time
    for (const table of await inOrderOfReference(client, tables)) {
      await putRows(client, table, join(folder, table.file));
      say(`${table.schema}.${table.name}: ${table.rows} rows`);
    }
    await client.query('analyze; commit');
  } finally {
    await client.end();
  }
  await migrate(url, MIGRATION_FOLDERS);
}

/** Rejects with `UsageError` if a back-up has migrations that this release does not know. */
export async function refuseLaterReleases({ migrations }: Manifest): Promise<void> {
  const known = new Set<string>();
  for (const area of MIGRATION_FOLDERS)
    for (const { name } of await readMigrations(area)) known.add(`${area}/${name}`);
  const unknown = migrations.map(nameOf).filter((migration) => !known.has(migration));
  if (unknown.length > 0)
    throw new UsageError(
      `the back-up was made by a later release, which had ${unknown.join(', ')}`,
      'restore it with that one',
    );
}

/** Rejects with `UsageError` if a database is not empty. */
export async function refuseUsedDatabase(url: string): Promise<void> {
  const client = await connectTo(url, APPLICATION);
  try {
    const { rows } = await client.query<{ schema: string }>(
      "select nspname::text as schema from pg_namespace where nspname = any($1::text[]) or nspname ~ '_v[0-9]+$'",
      [keptSchemas],
    );
    if (rows.length > 0)
      throw new UsageError(
        `the database is in use, as it has the schemas ${rows.map((row) => row.schema).join(', ')}`,
        'set DATABASE_URL to an empty one',
      );
  } finally {
    await client.end();
  }
}

const nameOf = ({ folder, name }: Manifest['migrations'][number]) => `${folder}/${name}`;
