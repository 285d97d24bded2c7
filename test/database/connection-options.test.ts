import { expect } from 'chai';
import { connectionOptions, Database } from '../../src/database/database.js';
import { testDatabase } from '../support/postgres.js';

describe('A connection', () => {
  it('has the options of its URL behind its own, and its own name', async () => {
    const scratch = await testDatabase();
    const url = new URLSearchParams({
      options: '-c work_mem=1234kB -c search_path=theirs',
      application_name: 'theirs',
    });
    const database = new Database({
      url: `${scratch.url}&${url.toString()}`,
      applicationName: 'ours',
      searchPath: ['ours'],
    });
    const rows = await database.rows(`
      select name, setting from pg_settings
      where name in ('application_name', 'search_path', 'work_mem') order by name`);
    await database.close();
    await scratch.drop();
    expect(rows).to.deep.equal([
      { name: 'application_name', setting: 'ours' },
      { name: 'search_path', setting: 'ours' },
      { name: 'work_mem', setting: '1234' },
    ]);
  });

  it('sees what is committed meanwhile, whatever the database prefers', async () => {
    const scratch = await testDatabase();
    await scratch.alter("set default_transaction_isolation = 'serializable'");
    const database = new Database({ url: scratch.url, applicationName: 'ours' });
    expect(await database.rows('show transaction_isolation')).to.deep.equal([
      { transaction_isolation: 'read committed' },
    ]);
    await database.close();
    await scratch.drop();
  });

  it('reads types and arrays alike, whatever the database prefers', async () => {
    const scratch = await testDatabase();
    await scratch.alter('set quote_all_identifiers = on');
    await scratch.alter('set array_nulls = off');
    const database = new Database({ url: scratch.url, applicationName: 'ours' });
    expect(
      await database.rows(`select format_type('text'::regtype, null) as type, '{NULL}'::text[] as texts`),
    ).to.deep.equal([{ type: 'text', texts: [null] }]);
    await database.close();
    await scratch.drop();
  });

  it('reads numbers with all their digits, whatever the database prefers', async () => {
    const scratch = await testDatabase();
    await scratch.alter('set extra_float_digits = -15');
    const database = new Database({ url: scratch.url, applicationName: 'ours' });
    expect(await database.rows(`select 1796000000123.25::float8 as ms`)).to.deep.equal([
      { ms: 1_796_000_000_123.25 },
    ]);
    await database.close();
    await scratch.drop();
  });

  it('may be idle for as long as it likes, whatever the database prefers', async () => {
    const scratch = await testDatabase();
    await scratch.alter("set idle_session_timeout = '1min'");
    const database = new Database({ url: scratch.url, applicationName: 'ours' });
    expect(await database.rows('show idle_session_timeout')).to.deep.equal([{ idle_session_timeout: '0' }]);
    await database.close();
    await scratch.drop();
  });

  it('leaves the rest of its URL as it is written', () => {
    const others = ['host=/tmp/a b', 'sslmode=disable'];
    const url = (parameters: readonly string[]) => `postgresql://me:50%x@/db?${parameters.join('&')}`;
    const theirs = ['application_name=me', 'options', ...others, 'options=-c jit=off'];
    const { connectionString, options } = connectionOptions({ url: url(theirs), applicationName: 'ours' });
    expect(connectionString).to.equal(url(others));
    expect(options).to.match(/^ ?-c jit=off -c /);
  });
});
