import { expect } from 'chai';
import fc from 'fast-check';
import { Database } from '../../../src/database/database.js';
import { migrate } from '../../../src/migrate/migrate.js';
import { flush } from '../../../projections/engine/flush.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { ensureSchemas } from '../../../projections/engine/schemas.js';
import { Session } from '../../../projections/engine/session.js';
import { testDatabase, type TestDatabase } from '../../support/postgres.js';
import { NaiveTables, type NaiveRow } from './naive.js';
import { people, TEST_MIGRATIONS, type Ask } from './people.js';
import { TestLog } from './test-log.js';

const small = fc.integer({ min: 1, max: 3 });
const room = fc.constantFrom('a', 'b"\\,{}', 'NULL');
const word = fc.constantFrom('x', '', 'NULL', 'a"b\\c', '{1,2}', 'ü, y', null);
const amount = fc.constantFrom(1, -1, Number.MAX_SAFE_INTEGER, 5);

const keys = {
  people: fc.record({ id: small }),
  seats: fc.record({ room, seat: small }),
  moods: fc.record({ room, person: small }),
};
const values = {
  people: fc.record({
    name: word,
    score: fc.oneof(small, fc.constant(null)),
    tags: fc.array(fc.constantFrom('t', 'u"{', 'NULL')),
  }),
  seats: fc.record({ person: small }),
  moods: fc.record({ mood: word, strength: fc.oneof(small, fc.constant(null)) }),
};
const counted = { people: 'score', seats: 'person', moods: 'strength' };

const asks = (table: keyof typeof keys): fc.Arbitrary<Ask> => {
  const ask = <K extends Ask['ask']>(
    kind: K,
    key: fc.Arbitrary<Ask['key']>,
    given: fc.Arbitrary<Ask['values']>,
  ) => fc.record({ table: fc.constant(table), ask: fc.constant(kind), key, values: given });
  const none = fc.constant({});
  const part = table === 'people' ? fc.record({ id: small }) : fc.oneof(fc.record({ room }), keys[table]);
  const kinds: fc.Arbitrary<Ask>[] = [
    ask('put', keys[table], values[table]),
    ask('patch', keys[table], values[table]),
    ask(
      'add',
      keys[table],
      amount.map((by) => ({ [counted[table]]: by })),
    ),
    ask('remove', keys[table], none),
    ask('removeWhere', part as fc.Arbitrary<Ask['key']>, none),
    ...(table === 'moods' ? [ask('removeWhere', fc.record({ person: small }), none)] : []),
  ];
  return fc.oneof(...kinds);
};

/** At both ends of what a row tells of. */
const number = fc.constantFrom(0, 1, 2_047, 2_048, 5_000);

const asksOfSets: fc.Arbitrary<Ask> = fc.oneof(
  fc.record({
    table: fc.constant('crowds' as const),
    ask: fc.constantFrom('include' as const, 'include' as const, 'exclude' as const),
    key: fc.record({ room }),
    values: fc.record({ number }),
  }),
  fc.record({
    table: fc.constant('crowds' as const),
    ask: fc.constant('removeWhere' as const),
    key: fc.oneof(fc.record({ room }), fc.record({ block: fc.constantFrom(0, 1) })),
    values: fc.constant({}),
  }),
);

/** Batches of events of changes. */
const batches = fc.array(
  fc.array(
    fc.array(fc.oneof(asks('people'), asks('seats'), asks('moods'), asksOfSets), {
      minLength: 1,
      maxLength: 3,
    }),
    {
      minLength: 1,
      maxLength: 12,
    },
  ),
  { minLength: 1, maxLength: 4 },
);

/**
 * What chance seldom makes: amounts that are added to a row of before, and to one that is gone by then, and a row of before
 * that goes twice.
 */
const seldom = (
  table: keyof typeof keys,
  key: Ask['key'],
  part: Ask['key'],
  row: Ask['values'],
): [Ask[][][]] => {
  const put: Ask = { table, ask: 'put', key, values: row };
  const add: Ask = { table, ask: 'add', key, values: { [counted[table]]: 5 } };
  const away: Ask = { table, ask: 'removeWhere', key: part, values: {} };
  const batches = [[put], [away, away], [put], [away, put, away, put], [add, add, add], [add, away, add]];
  return [batches.map((batch) => batch.map((asked) => [asked]))];
};

describe('folding a batch', () => {
  let scratch: TestDatabase;
  let database: Database;
  let session: Session;
  let model: ReadModel;

  before(async () => {
    scratch = await testDatabase();
    await migrate(scratch.url, ['projector']);
    const options = { url: scratch.url, applicationName: 'test' };
    database = new Database(options);
    session = await Session.connect(options);
    await ensureSchemas(database, [people], TEST_MIGRATIONS);
    model = await ReadModel.open(database, people, 'people_v1');
  });

  after(async () => {
    await session.close();
    await database.close();
    await scratch.drop();
  });

  it('gives the rows that one change after the other gives', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        await database.rows('truncate people_v1.people, people_v1.seats, people_v1.moods, people_v1.crowds');
        await database.rows('update people_v1.checkpoint set position = -1');
        const log = new TestLog();
        const naive = new NaiveTables();
        let from = -1n;
        for (const batch of given) {
          const start = log.events.length;
          log.append(...batch.map((list) => ({ type: 'Asked', data: { asks: list } })));
          const events = log.events.slice(start);
          batch.forEach((list, index) => {
            for (const ask of list) naive.apply(events[index]?.position ?? 0n, ask);
          });
          await flush(session, { from, to: log.checkpoint, parts: [model.gather(events)] }, false);
          from = log.last;
        }
        for (const table of ['people', 'seats', 'moods', 'crowds'] as const) {
          expect(await stored(table)).to.deep.equal(inOrder(naive.rows[table]));
        }
      }),
      {
        numRuns: 100,
        examples: [
          seldom('people', { id: 1 }, { id: 1 }, { name: 'x', score: 1, tags: [] }),
          seldom('seats', { room: 'a', seat: 1 }, { room: 'a' }, { person: 1 }),
          seldom('moods', { room: 'a', person: 1 }, { room: 'a' }, { mood: 'x', strength: 1 }),
        ],
      },
    );
  });

  it('reads rows of tables with history only, as what they were is kept', () => {
    const readsOf = (table: Ask['table'], key: Ask['key'], values: Ask['values']) => {
      const log = new TestLog();
      log.append({ type: 'Asked', data: { asks: [{ table, ask: 'patch', key, values }] } });
      return model.gather(log.events).reads.length;
    };
    expect(readsOf('people', { id: 1 }, { name: 'x' })).to.equal(0);
    expect(readsOf('seats', { room: 'a', seat: 1 }, { person: 1 })).to.equal(0);
    expect(readsOf('moods', { room: 'a', person: 1 }, { mood: 'x' })).to.equal(1);
  });

  async function stored(table: Ask['table']): Promise<string[]> {
    const rows = await database.rows<NaiveRow>(`select * from people_v1.${table}`);
    return inOrder(
      rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'lower_name'))),
    );
  }
});

/** Rows as text, whatever their order and that of their columns. */
const inOrder = (rows: readonly NaiveRow[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row).sort(([left], [right]) => (left < right ? -1 : 1)),
        (_, value: unknown) => (typeof value === 'bigint' || typeof value === 'number' ? `${value}n` : value),
      ),
    )
    .sort();
