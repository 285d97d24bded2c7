import { expect } from 'chai';
import { MAX_PREPARED } from '../../../src/database/prepared-limit.js';
import { sql } from '../../../src/database/sql.js';
import { Session } from '../../../projections/engine/session.js';
import { rejection } from '../../support/rejection.js';
import { engineDatabase, type EngineDatabase } from './support.js';

describe('a writer’s session', () => {
  let engine: EngineDatabase;
  let session: Session;

  beforeEach(async () => {
    engine = await engineDatabase([]);
    await engine.database.rows('create table written (value int primary key)');
    session = await Session.connect(engine.options);
  });

  afterEach(async () => {
    await session.close();
    await engine.drop();
  });

  const write = (value: number) => sql`insert into written values (${value})`;
  const read = sql`select count(*), max(value) from written`;
  const written = async () =>
    (await engine.database.rows<{ value: number }>('select value from written order by 1')).map(
      ({ value }) => value,
    );

  it('waits for no disk, and keeps no locks while it stands still in a transaction', async () => {
    const settings = sql`
      select current_setting('synchronous_commit'), current_setting('idle_in_transaction_session_timeout')`;
    let found: readonly (readonly (string | null)[])[] | undefined;
    await session.transaction({
      first: write(1),
      reads: [settings],
      writes: ([rows]) => {
        found = rows;
        return [];
      },
    });
    expect(found).to.deep.equal([['off', '5s']]);
  });

  it('writes all of a transaction', async () => {
    await session.transaction({ first: write(1), reads: [], writes: () => [write(2), write(3)] });
    expect(await written()).to.deep.equal([1, 2, 3]);
  });

  it('writes what follows from what it reads', async () => {
    await session.transaction({
      first: write(1),
      reads: [read, read],
      writes: (answers) => answers.map(([row], index) => write(Number(row?.[1]) + 10 * (index + 1))),
    });
    expect(await written()).to.deep.equal([1, 11, 21]);
  });

  for (const reads of [[], [read]]) {
    it(`writes nothing where a statement fails, and goes on${reads.length > 0 ? ', after reading' : ''}`, async () => {
      const late = sql`insert into written values (${4}), (${5})`; // first sent behind the failure
      const wrong = session.transaction({ first: write(1), reads, writes: () => [write(1), late] });
      expect(await rejection(wrong)).to.have.property('code', '23505');
      expect(await written()).to.deep.equal([]);
      await session.transaction({ first: write(1), reads, writes: () => [write(2), late] });
      expect(await written()).to.deep.equal([1, 2, 4, 5]);
    });
  }

  it('writes nothing where it cannot be told what to write, and goes on', async () => {
    const wrong = session.transaction({
      first: write(1),
      reads: [read],
      writes: () => {
        throw new RangeError('no');
      },
    });
    expect(await rejection(wrong)).to.be.instanceOf(RangeError);
    await session.transaction({ first: write(2), reads: [], writes: () => [] });
    expect(await written()).to.deep.equal([2]);
  });

  it('keeps as many statements prepared as there may be, those used last', async () => {
    const nth = (n: number) => ({ name: `s${n}`, text: `insert into written values (${n})`, values: [] });
    const often = sql`select count(*) from written where value = ${-1}`;
    for (let n = 0; n < MAX_PREPARED + 20; n++)
      await session.transaction({ first: often, reads: [], writes: () => [nth(n)] });
    const count = sql`select count(*), count(*) filter (where name = ${often.name}) from pg_prepared_statements`;
    let counts: readonly (string | null)[] = [];
    await session.transaction({
      first: often,
      reads: [count],
      writes: ([rows]) => {
        counts = rows?.[0] ?? [];
        return [];
      },
    });
    expect(Number(counts[0])).to.be.within(MAX_PREPARED - 5, MAX_PREPARED + 5);
    expect(counts[1]).to.equal('1');
    expect(await written()).to.have.length(MAX_PREPARED + 20);
  });
});
