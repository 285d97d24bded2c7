import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../migrate/migrate.js';
import { readMigrations } from '../../migrate/migration-files.js';
import { UsageError } from '../../program.js';
import { MIGRATION_FOLDERS } from '../../start/prepare.js';
import { keptSchemas } from '../kept-schemas.js';
import type { Manifest } from '../manifest.js';
import { putRows } from '../tables.js';

/**
 * Puts the tables of a back-up into an empty database: made as they were then, filled in one transaction, and then
 * brought to this release. Rejects with `UsageError` where the database holds something, or the back-up is of a later release.
 */
export async function putDatabase(
  url: string,
  folder: string,
  { migrations, tables }: Manifest,
  say: (line: string) => void,
): Promise<void> {
  const then = new Set(migrations.map(({ folder: area, name }) => `${area}/${name}`));
  await refuseLaterReleases(then);
  const client = new pg.Client({ connectionString: url, application_name: 'tallyforge-restore' });
  await client.connect();
  try {
    await refuseUsed(client);
    const areas = [...new Set(migrations.map(({ folder: area }) => area))];
    await migrate(url, areas, undefined, (area, name) => then.has(`${area}/${name}`));
    await client.query('begin');
    for (const table of tables) {
      await putRows(client, table, join(folder, table.file));
      say(`${table.schema}.${table.name}: ${table.rows} rows`);
    }
    await client.query('commit; analyze');
  } finally {
    await client.end();
  }
  await migrate(url, MIGRATION_FOLDERS);
}

async function refuseLaterReleases(migrations: ReadonlySet<string>): Promise<void> {
  const known = new Set<string>();
  for (const area of MIGRATION_FOLDERS)
    for (const { name } of await readMigrations(area)) known.add(`${area}/${name}`);
  const unknown = [...migrations].filter((migration) => !known.has(migration));
  if (unknown.length > 0)
    throw new UsageError(`the back-up was made by a later release, which had ${unknown.join(', ')}`);
}

async function refuseUsed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    "select nspname::text as schema from pg_namespace where nspname = any($1::text[]) or nspname ~ '_v[0-9]+$'",
    [keptSchemas],
  );
  if (rows.length > 0)
    throw new UsageError(
      `the database is in use: it has the schemas ${rows.map((row) => row.schema).join(', ')}`,
    );
}
