import { randomBytes } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/migrate/migrate.js';
import { Vault } from '../../src/vault/vault.js';
import { testDatabase } from './postgres.js';

export interface TestVaults {
  readonly database: Database;
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
  const opened: { vault: Vault; database: Database }[] = [];
  const connect = () => new Database({ url, applicationName: 'test' });
  const database = connect();
  return {
    database,
    async open() {
      const own = connect();
      const vault = new Vault({ database: own, key });
      opened.push({ vault, database: own });
      await vault.start();
      return vault;
    },
    async close() {
      for (const { vault, database } of opened) {
        await vault.close();
        await database.close();
      }
      await database.close();
      await testing.drop();
    },
  };
}
