import { expect } from 'chai';
import { Database } from '../../src/database/database.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

describe('Columns', () => {
  let scratch: TestDatabase;
  let database: Database;

  before(async () => {
    scratch = await testDatabase();
    database = new Database({ url: scratch.url, applicationName: 'test', maxConnections: 1 });
  });
  after(async () => {
    await database.close();
    await scratch.drop();
  });

  const times = {
    '2026-01-02T03:04:05Z': '2026-01-02T03:04:05.000Z',
    '2026-01-02T03:04:05.6Z': '2026-01-02T03:04:05.600Z',
    '2026-01-02T03:04:05.678912Z': '2026-01-02T03:04:05.678Z',
    '2026-07-02T23:59:59.999+13:45': '2026-07-02T10:14:59.999Z',
    '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
    '1883-11-18T12:03:57Z': '1883-11-18T12:03:57.000Z',
    '10000-01-01T00:00:00Z': '+010000-01-01T00:00:00.000Z',
    '0002-03-04T05:06:07Z BC': '-000001-03-04T05:06:07.000Z',
  };
  for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'])
    it(`of times are the same moments in sessions of the zone ${zone}`, async () => {
      const read = await database.transaction(async (connection) => {
        await connection.rows(`set local timezone = '${zone}'`);
        return connection.rows<{ at: Date }>(
          `select at::timestamptz from unnest(array[${Object.keys(times)
            .map((time) => `'${time}'`)
            .join()}]) at`,
        );
      });
      expect(read.map(({ at }) => at.toISOString())).to.deep.equal(Object.values(times));
    });

  it('of times are the same moments where the database writes them otherwise', async () => {
    const other = await testDatabase();
    await other.alter(`set datestyle = 'SQL, DMY'`);
    const its = new Database({ url: other.url, applicationName: 'test' });
    const [row] = await its.rows<{ at: Date }>(`select '2026-01-02T03:04:05Z'::timestamptz as at`);
    await its.close();
    await other.drop();
    expect(row?.at.toISOString()).to.equal('2026-01-02T03:04:05.000Z');
  });

  it('of times without end are as far away', async () => {
    const [row] = await database.rows<object>(
      `select 'infinity'::timestamptz as never, '-infinity'::timestamptz as ever`,
    );
    expect(row).to.deep.equal({ never: Infinity, ever: -Infinity });
  });

  it('of integers are numbers where a double holds them, else bigints', async () => {
    const [row] = await database.rows<object>(
      'select 9007199254740991::int8 as held, 9007199254740993::int8 as not_held',
    );
    expect(row).to.deep.equal({ held: 9007199254740991, not_held: 9007199254740993n });
  });
});
