import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createSchema } from '../../../projections/engine/schemas.js';
import { issues } from '../../../projections/issues/issues.js';
import { NextTables } from '../../../projections/rebuild/next-tables.js';
import { Database } from '../../../src/database/database.js';
import { sql } from '../../../src/database/sql.js';
import { testDatabase, type TestDatabase } from '../../support/postgres.js';

describe('the tables of a rebuild', () => {
  let server: TestDatabase;
  let database: Database;

  before(async () => {
    server = await testDatabase();
    database = new Database({ url: server.url, applicationName: 'test' });
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  const indexesOf = async (schema: string): Promise<string[]> => {
    const rows = await database.rows<{ definition: string }>(
      sql`select indexdef as definition from pg_indexes where schemaname = ${schema} order by indexname`,
    );
    return rows.map(({ definition }) => definition.replaceAll(`${schema}.`, ''));
  };

  it('are filled without the indexes of searches, and have them once they are readable', async () => {
    await database.transaction((connection) => createSchema(connection, issues, 'live'));
    const live = await indexesOf('live');
    const searched = live.filter((definition) => definition.includes('gin_trgm_ops'));
    expect(searched).not.to.deep.equal([]);

    const next = await NextTables.create(database, issues, 'next');
    expect(await indexesOf('next')).to.deep.equal(
      live.filter((definition) => !searched.includes(definition)),
    );

    await next.makeReadable(database);
    expect(await indexesOf('next')).to.deep.equal(live);
  });

  it('are made readable however long the database lets statements take', async () => {
    const next = await NextTables.create(database, issues, 'late');
    let made: Promise<void> | undefined;
    await server.alter(`set statement_timeout = '400ms'`);
    const hurried = new Database({ url: server.url, applicationName: 'hurried' });
    await database.transaction(async (holder) => {
      await holder.rows('lock table late.issue_texts');
      made = next.makeReadable(hurried);
      made.catch(() => undefined);
      await sleep(600);
    });
    await made;
    await hurried.close();
  });
});
