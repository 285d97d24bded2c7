import { expect } from 'chai';
import { connectionOptions } from '../../src/database/connection-options.js';
import { Database } from '../../src/database/database.js';
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

  /** The rows of a statement where the database prefers these settings. */
  const preferring = async (settings: readonly string[], statement: string) => {
    const scratch = await testDatabase();
    for (const setting of settings) await scratch.alter(`set ${setting}`);
    const database = new Database({ url: scratch.url, applicationName: 'ours' });
    const rows = await database.rows(statement);
    await database.close();
    await scratch.drop();
    return rows;
  };

  it('sees what is committed meanwhile, whatever the database prefers', async () => {
    expect(
      await preferring(["default_transaction_isolation = 'serializable'"], 'show transaction_isolation'),
    ).to.deep.equal([{ transaction_isolation: 'read committed' }]);
  });

  it('reads types and arrays alike, whatever the database prefers', async () => {
    const asked = `select format_type('text'::regtype, null) as type, '{NULL}'::text[] as texts`;
    expect(await preferring(['quote_all_identifiers = on', 'array_nulls = off'], asked)).to.deep.equal([
      { type: 'text', texts: [null] },
    ]);
  });

  it('reads numbers with all their digits, whatever the database prefers', async () => {
    expect(
      await preferring(['extra_float_digits = -15'], 'select 1796000000123.25::float8 as ms'),
    ).to.deep.equal([{ ms: 1_796_000_000_123.25 }]);
  });

  it('may be idle for as long as it likes, whatever the database prefers', async () => {
    expect(await preferring(["idle_session_timeout = '1min'"], 'show idle_session_timeout')).to.deep.equal([
      { idle_session_timeout: '0' },
    ]);
  });

  it('waits for a lock for as long as it likes, whatever the database prefers', async () => {
    expect(await preferring(["lock_timeout = '1min'"], 'show lock_timeout')).to.deep.equal([
      { lock_timeout: '0' },
    ]);
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
