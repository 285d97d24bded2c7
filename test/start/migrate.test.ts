import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Database } from '../../src/database/database.js';
import { migrate, MigrationMismatch } from '../../src/migrate/migrate.js';
import { PooledDatabase } from '../../src/migrate/own-sessions.js';
import { pooler, type Pooling } from '../support/pooler.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

describe('migrate', () => {
  let folder: string;
  let database: TestDatabase;
  let connection: Database;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallyforge-migrations-'));
    await Promise.all(['one', 'two'].map((name) => mkdir(join(folder, name))));
    database = await testDatabase();
    connection = new Database({ url: database.url, applicationName: 'test' });
  });
  afterEach(async () => {
    await connection.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const run = (...folders: string[]) => migrate(database.url, folders, pathToFileURL(`${folder}/`));
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: unknown) => error as Error,
    );

  it('applies the files of each folder in order, once', async () => {
    await write('one/0002-fill.sql', 'insert into t values (1);');
    await write('one/0001-table.sql', 'create table t (n int); create table u (n int);');
    await write('two/0001-fill.sql', 'insert into u values (2);');
    expect(await run('one', 'two')).to.deep.equal([
      'one/0001-table.sql',
      'one/0002-fill.sql',
      'two/0001-fill.sql',
    ]);
    await write('one/0003-more.sql', 'insert into t values (3);');
    expect(await run('one', 'two')).to.deep.equal(['one/0003-more.sql']);
    expect(await run('one', 'two')).to.deep.equal([]);
    expect(await connection.rows('select n from t order by n')).to.deep.equal([{ n: 1 }, { n: 3 }]);
  });

  it('leaves nothing of a folder in which one file fails, and names the file', async () => {
    await write('one/0001-table.sql', 'create table t (n int);');
    await write('one/0002-wrong.sql', 'insert into nowhere values (1);');
    expect((await refusal(run('one')))?.message).to.match(/one\/0002-wrong.sql: .*nowhere/);
    expect(await connection.rows(`select to_regclass('t') t`)).to.deep.equal([{ t: null }]);
  });

  it('says what failed where the server goes away meanwhile', async () => {
    await write('one/0001-gone.sql', 'select pg_terminate_backend(pg_backend_pid());');
    expect((await refusal(run('one')))?.message).to.match(/one\/0001-gone.sql: .*terminat/);
  });

  it('applies what takes longer than the database lets statements take', async () => {
    await database.alter(`set statement_timeout = '400ms'`);
    await write('one/0001-long.sql', 'select pg_sleep(0.6);');
    expect(await run('one')).to.deep.equal(['one/0001-long.sql']);
  });

  it('refuses a file that changed or went missing after it was applied', async () => {
    await write('one/0001-table.sql', 'create table t (n int);');
    await write('one/0002-table.sql', 'create table u (n int);');
    await run('one');
    await write('one/0002-table.sql', 'create table v (n int);');
    expect(await refusal(run('one'))).to.be.instanceOf(MigrationMismatch);
    await rm(join(folder, 'one/0002-table.sql'));
    expect(await refusal(run('one')))
      .to.be.instanceOf(MigrationMismatch)
      .with.property('message')
      .that.matches(/one\/0002-table.sql .* does not have it: start the release that applied it/);
  });

  it('takes turns with others who migrate the same database', async () => {
    await write('one/0001-table.sql', 'create table t (n int);');
    const applied = await Promise.all([run('one'), run('one'), run('one')]);
    expect(applied.flat()).to.deep.equal(['one/0001-table.sql']);
  });

  for (const [pooling, says] of [
    ['refuses options', /which refuses the settings of sessions \(unsupported startup parameter: options\)/],
    ['drops options', /which drops the settings of sessions/],
    ['shares a session', /whose connections share one session/],
  ] as const satisfies readonly (readonly [Pooling, RegExp])[])
    it(`changes nothing through a pooler that ${pooling}`, async () => {
      await write('one/0001-table.sql', 'create table t (n int);');
      const between = await pooler(database.url, pooling);
      const error = await refusal(migrate(between.url, ['one'], pathToFileURL(`${folder}/`)));
      await between.close();
      expect(error).to.be.instanceOf(PooledDatabase).with.property('message').that.matches(says);
      expect(await connection.rows(`select to_regclass('t') t`)).to.deep.equal([{ t: null }]);
    });
});
