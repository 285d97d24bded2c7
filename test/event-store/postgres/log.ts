import pg from 'pg';
import { readMigrations } from '../../../src/migrate/migration-files.js';
import { testDatabase, type TestDatabase } from '../../support/postgres.js';

/** A database with an empty log, and a connection beside the store's own. */
export interface TestLog {
  readonly url: string;
  readonly admin: pg.Client;
  readonly alter: TestDatabase['alter'];
  /** Ends every connection of event stores, in the middle of whatever they do. */
  readonly cut: () => Promise<void>;
  /** Resolves when an append, or a read, waits for the head of the log, which `admin` has locked. */
  readonly untilWaits: (what: 'append' | 'read') => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Makes one, by the first of its migrations if a number of them is given. */
export async function testLog(migrations?: number): Promise<TestLog> {
  const database = await testDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  for (const { text } of (await readMigrations('events')).slice(0, migrations)) await admin.query(text);
  return {
    url: database.url,
    admin,
    alter: database.alter,
    async cut() {
      await admin.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'tallyforge-%'`);
    },
    async untilWaits(what) {
      for (;;) {
        await admin.query('select pg_stat_clear_snapshot()');
        const { rows } = await admin.query(`
          select from pg_stat_activity
          where datname = current_database() and application_name = 'tallyforge-${what}' and wait_event_type = 'Lock'`);
        if (rows.length > 0) return;
      }
    },
    async drop() {
      await admin.end();
      await database.drop();
    },
  };
}
