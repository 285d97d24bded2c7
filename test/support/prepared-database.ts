import { ensureSchemas } from '../../projections/engine/schemas.js';
import { projections } from '../../projections/registry.js';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/migrate/migrate.js';
import { MIGRATION_FOLDERS } from '../../src/start/prepare.js';
import { testDatabase, type TestDatabase } from './postgres.js';

let template: Promise<TestDatabase> | undefined;

/** A fresh database with all tables and no rows: making them takes ten times as long as copying those that were made once. */
export async function preparedDatabase(): Promise<TestDatabase> {
  template ??= prepared();
  return testDatabase((await template).name);
}

async function prepared(): Promise<TestDatabase> {
  const database = await testDatabase();
  await migrate(database.url, MIGRATION_FOLDERS);
  const db = new Database({ url: database.url, applicationName: 'test', onError: () => undefined });
  try {
    await ensureSchemas(db, projections);
  } finally {
    await db.close();
  }
  return database;
}
