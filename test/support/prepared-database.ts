import { randomBytes } from 'node:crypto';
import { ensureSchemas } from '../../projections/engine/schemas.js';
import { projections } from '../../projections/registry.js';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/migrate/migrate.js';
import { readConfig } from '../../src/config.js';
import { MIGRATION_FOLDERS, prepare } from '../../src/start/prepare.js';
import { silent } from '../projections/engine/silent.js';
import { dataDir } from './data-dir.js';
import { testDatabase, type TestDatabase } from './postgres.js';

export const ADMIN = { username: 'root', password: 'a good password' };

/** The key of every vault in the databases of `administeredDatabase`. */
export const VAULT_KEY = randomBytes(32);

let template: Promise<TestDatabase> | undefined;
let administeredTemplate: Promise<TestDatabase> | undefined;

/** A fresh database with all tables and no rows: making them takes ten times as long as copying those that were made once. */
export async function preparedDatabase(): Promise<TestDatabase> {
  template ??= prepared();
  return testDatabase((await template).name);
}

/** A fresh database as it is once a site is started for the first time: the log knows `ADMIN`, the read models do not yet. */
export async function administeredDatabase(): Promise<TestDatabase> {
  administeredTemplate ??= administered();
  return testDatabase((await administeredTemplate).name);
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

async function administered(): Promise<TestDatabase> {
  const [database, data] = await Promise.all([preparedDatabase(), dataDir()]);
  const config = readConfig({
    DATA_DIR: data.path,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
  });
  try {
    await prepare({ ...config, databaseUrl: database.url, vaultKey: VAULT_KEY }, silent, () => undefined);
  } finally {
    await data.remove();
  }
  return database;
}
