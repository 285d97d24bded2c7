import { randomBytes } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/migrate/migrate.js';
import { Vault } from '../../src/vault/vault.js';
import { testDatabase } from './postgres.js';

export interface TestVaults {
  readonly database: Database;
  /** The database over a connection of its own. */
  connect(): Database;
  /** A started vault, as another process on the same database would have it. */
  open(): Promise<Vault>;
  close(): Promise<void>;
}

/** A migrated, empty vault, and any number of processes that use it. */
export async function testVaults(): Promise<TestVaults> {
  const testing = await testDatabase();
  const { url } = testing;
  await migrate(url, ['vault']);
  const key = randomBytes(32);
  const vaults: Vault[] = [];
  const databases: Database[] = [];
  const connect = () => {
    const database = new Database({ url, applicationName: 'test' });
    databases.push(database);
    return database;
  };
  return {
    database: connect(),
    connect,
    async open() {
      const vault = new Vault({ database: connect(), key });
      vaults.push(vault);
      await vault.start();
      return vault;
    },
    async close() {
      for (const vault of vaults) await vault.close();
      for (const database of databases) await database.close();
      await testing.drop();
    },
  };
}
