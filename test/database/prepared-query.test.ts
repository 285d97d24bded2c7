import { expect } from 'chai';
import pg from 'pg';
import { Database } from '../../src/database/database.js';
import { MAX_PREPARED } from '../../src/database/prepared-limit.js';
import { rowsOf } from '../../src/database/prepared-query.js';
import { sql, type Statement } from '../../src/database/sql.js';
import { testDatabase } from '../support/postgres.js';

describe('Prepared statements', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;

  before(async () => {
    database = await testDatabase();
  });
  after(() => database.drop());

  for (const pipeline of [false, true])
    describe(pipeline ? 'on a pipelined connection' : 'one after the other', () => {
      beforeEach(async () => {
        client = new pg.Client({ connectionString: database.url, pipeline });
        await client.connect();
      });
      afterEach(() => client.end());

      const everyType = (value: string | null) => sql`
        select ${value}::text as text, ${value}::text = 'x' as is_x, 9223372036854775807 as large, 7::int8 as small,
          '2026-01-02T03:04:05.678Z'::timestamptz as at, array['a', null, 'c,d'] as list, '{"a": [1]}'::jsonb as json,
          '\\x0102'::bytea as bytes, null::int8 as nothing, 1 as twice, 2 as twice`;

      it('give the rows that pg gives, each time', async () => {
        const { text, values } = everyType('x');
        const { rows: plain } = await client.query<object>(text, [...values]);
        const first = await rowsOf(client, everyType('x'));
        const second = await rowsOf(client, everyType('x'));
        expect(first).to.deep.equal(plain);
        expect(second).to.deep.equal(plain);
        expect(second[0]).to.include({ text: 'x', is_x: true, small: 7, twice: 2, nothing: null });
        expect(await rowsOf(client, everyType(null))).to.deep.include.members([
          { ...plain[0], text: null, is_x: null },
        ]);
      });

      it('are described once', async () => {
        let descriptions = 0;
        (client.connection as unknown as NodeJS.EventEmitter).on('rowDescription', () => descriptions++);
        for (const count of [3, 0, 1]) {
          const rows = await rowsOf<{ n: number }>(client, sql`select n from generate_series(1, ${count}) n`);
          expect(rows.map(({ n }) => n)).to.deep.equal([1, 2, 3].slice(0, count));
        }
        expect(descriptions).to.equal(1);
      });

      it('reject where the server refuses, and work again', async () => {
        const divide = (by: number) => rowsOf<{ n: number }>(client, sql`select 6 / ${by}::int as n`);
        const outcomes = [];
        for (const by of [0, 2, 0, 3]) outcomes.push(await divide(by).catch((error: unknown) => error));
        expect(outcomes[0]).to.be.instanceOf(pg.DatabaseError).and.to.include({ code: '22012' });
        expect(outcomes[1]).to.deep.equal([{ n: 3 }]);
        expect(outcomes[2]).to.be.instanceOf(pg.DatabaseError);
        expect(outcomes[3]).to.deep.equal([{ n: 2 }]);
      });

      it('reject where a value cannot be read, and work again', async () => {
        pg.types.setTypeParser(pg.types.builtins.MONEY, (text) => {
          if (text === '$0.00') throw new RangeError('no money');
          return text;
        });
        const pay = (amount: number) => rowsOf(client, sql`select ${amount}::int::money as paid`);
        expect(await pay(0).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
        expect(await pay(1)).to.deep.equal([{ paid: '$1.00' }]);
      });

      it('are as many as the limit, those used last', async () => {
        const nth = (n: number): Statement => ({ name: `s${n}`, text: `select ${n} as n`, values: [] });
        const often = sql`select ${'x'}::text as text`;
        const prepared = async () => {
          const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements');
          return rows.map(({ name }) => name);
        };
        for (let n = 0; n < MAX_PREPARED + 50; n++) {
          expect(await rowsOf(client, nth(n))).to.deep.equal([{ n }]);
          expect(await rowsOf(client, often)).to.deep.equal([{ text: 'x' }]);
        }
        expect(await prepared())
          .to.have.length(MAX_PREPARED)
          .and.to.include.members([often.name, nth(MAX_PREPARED + 49).name])
          .and.not.to.include(nth(0).name);

        if (!pipeline) return;
        const all = Array.from({ length: 2 * MAX_PREPARED }, (_, n) => n);
        const together = await Promise.all(all.map((n) => rowsOf<{ n: number }>(client, nth(n))));
        expect(together.map(([row]) => row?.n)).to.deep.equal(all);
        await rowsOf(client, often);
        expect(await prepared()).to.have.length(MAX_PREPARED);
      });

      it('may have no rows to give', async () => {
        await client.query('create temporary table notes (text text)');
        const note = () => rowsOf(client, sql`insert into notes values (${'a'})`);
        expect(await note()).to.deep.equal([]);
        expect(await note()).to.deep.equal([]);
        expect(await rowsOf(client, sql`delete from notes returning text`)).to.have.length(2);
      });
    });

  it('answer those who ask at the same time, each its own', async () => {
    const db = new Database({ url: database.url, applicationName: 'test' });
    try {
      const ask = (n: number) => db.rows<{ n: number }>(sql`select 6 / ${n}::int as n`);
      const answers = await Promise.allSettled([1, 0, 2, 3].map(ask));
      const numbers = answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value[0]?.n : answer.status,
      );
      expect(numbers).to.deep.equal([6, 'rejected', 3, 2]);
    } finally {
      await db.close();
    }
  });

  it('go on over another connection where one is lost', async () => {
    const db = new Database({ url: database.url, applicationName: 'test', patienceMs: 60_000 });
    const ask = () => db.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    try {
      const [before] = await ask();
      await ask();
      db.abandon();
      const [after] = await ask();
      expect(after?.pid).to.be.a('number').and.not.equal(before?.pid);
    } finally {
      await db.close();
    }
  });
});
