import { expect } from 'chai';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCheckpoints } from '../../../projections/engine/checkpoint.js';
import type { EventSource } from '../../../projections/engine/event-source.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { issues } from '../../../projections/issues/issues.js';
import { schemaOf } from '../../../projections/projection.js';
import type { RebuildContext } from '../../../projections/rebuild/advance.js';
import type { Comparison } from '../../../projections/rebuild/compare.js';
import { ProgressLines } from '../../../projections/rebuild/progress.js';
import { alone, RebuildLockLost, RebuildRunning } from '../../../projections/rebuild/rebuild-lock.js';
import { rebuild, rollBack } from '../../../projections/rebuild/rebuild.js';
import { dropSchema, oldSchemaOf } from '../../../projections/rebuild/schemas.js';
import { swapIn } from '../../../projections/rebuild/swap.js';
import { describeComparison } from '../../../projections/rebuild/report.js';
import { ensureSchemas } from '../../../projections/engine/schemas.js';
import { listStopped } from '../../../projections/engine/status.js';
import { Database } from '../../../src/database/database.js';
import { sql } from '../../../src/database/sql.js';
import { DatabaseUnavailable } from '../../../src/database/unavailable.js';
import { EventLog } from '../../../src/event-log/event-log.js';
import { PositionNotInLog } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { MIGRATIONS } from '../../../src/migrate/migration-files.js';
import { ReadYourWrites } from '../../../src/read-your-writes/read-your-writes.js';
import { TestPeople } from '../../support/people.js';
import { people, poison, TEST_MIGRATIONS } from './people.js';
import {
  asked,
  dosed,
  engineDatabase,
  eventually,
  person,
  reached,
  scored,
  startProjector,
  type EngineDatabase,
  type RunningProjector,
} from './support.js';
import { silent } from './silent.js';
import { TestLog } from './test-log.js';

describe('rebuilding', () => {
  let engine: EngineDatabase;
  let log: TestLog;
  let context: RebuildContext;
  let projector: RunningProjector | undefined;

  beforeEach(async () => {
    engine = await engineDatabase([people, poison]);
    log = new TestLog();
    context = {
      database: engine.database,
      connection: engine.options,
      source: log,
      log: silent,
      signal: new AbortController().signal,
    };
    projector = startProjector(engine, log, [people, poison]);
    await reached(engine.database, 'poison_v1', log.append(...history()));
    await reached(engine.database, 'people_v1', log.last);
  });

  afterEach(async () => {
    await projector?.stop();
    await engine.drop();
  });

  const filled: string[] = [];
  const run = async (options: {
    verify: boolean;
    projections?: (typeof people)[];
    migrations?: URL;
  }): Promise<[string, Comparison][]> => {
    const compared: [string, Comparison][] = [];
    await rebuild(context, {
      projections: [people, poison],
      progress: new ProgressLines(() => undefined),
      migrations: TEST_MIGRATIONS,
      onCompared: ({ name }, comparison) => compared.push([name, comparison]),
      onFilled: ({ name }) => filled.push(name),
      end: () => Promise.resolve(log.last),
      ...options,
    });
    return compared;
  };
  const schemas = async () =>
    (
      await engine.database.rows<{ name: string }>(
        `select nspname::text as name from pg_namespace where nspname ~ '_v[0-9]' order by 1`,
      )
    ).map(({ name }) => name);
  const nameOf = async (id: number) =>
    (await engine.database.rows<{ name: string }>(`select name from people_v1.people where id = ${id}`))[0]
      ?.name;

  it('finds the live rows the same, and swaps', async () => {
    const compared = await run({ verify: false });
    expect(compared).to.deep.equal([
      ['people', { rows: 78, differences: [] }],
      ['poison', { rows: 20, differences: [] }],
    ]);
    expect(await schemas()).to.deep.equal(['people_v1', 'people_v1__old', 'poison_v1', 'poison_v1__old']);
  });

  it('swaps in tables with all the indexes of those before', async () => {
    await ensureSchemas(engine.database, [issues]);
    const indexes = () =>
      engine.database.rows<{ indexdef: string }>(
        sql`select indexdef from pg_indexes where schemaname = ${schemaOf(issues)} order by indexname`,
      );
    const before = await indexes();
    const made = { projections: [issues], migrations: MIGRATIONS };
    expect(await run({ verify: true, ...made }), 'nothing is built where it is only compared').to.deep.equal([
      ['issues', { rows: 0, differences: [] }],
    ]);
    await run({ verify: false, ...made });
    expect(await schemas()).to.include(oldSchemaOf(issues));
    expect(await indexes()).to.deep.equal(before);
  });

  it('takes its time where the database ends transactions that do nothing for a while', async () => {
    await engine.alter("set idle_in_transaction_session_timeout = '2s'");
    const database = new Database(engine.options);
    let subscriptions = 0;
    const source: EventSource = {
      async *subscribe(after, options) {
        subscriptions += 1;
        if (subscriptions === 1) await reached(engine.database, 'people_v1', log.append(person(99, 'Late')));
        else await sleep(3_000);
        yield* log.subscribe(after, options);
      },
    };
    context = { ...context, database, source };
    try {
      const [[, comparison] = []] = await run({ verify: true, projections: [people] });
      expect(comparison?.differences).to.deep.equal([]);
      expect(subscriptions, 'to confirm the position, to build, to follow the live tables').to.equal(3);
    } finally {
      await database.close();
    }
  });

  it('names the rows that differ, and puts them right', async () => {
    await engine.database.rows(`
      update people_v1.people set name = 'Mallory' where id = 3;
      delete from people_v1.people where id = 4;
      insert into people_v1.moods values ('x', 9, 'odd', 1, 5, 9)`);
    const [[, comparison] = ['', { rows: 0, differences: [] }]] = await run({
      verify: false,
      projections: [people],
    });
    expect(comparison.differences.map(({ table, key }) => `${table} ${key}`).sort()).to.deep.equal([
      'moods (x,9,5)',
      'people (3)',
      'people (4)',
    ]);
    const lines = describeComparison(people, comparison);
    expect(lines).to.include('people: 3 of 78 rows differ').and.to.include('    live:    no such row');
    expect(await nameOf(3)).to.equal('Person 3');
  });

  it('only verifies when asked, and changes nothing', async () => {
    await engine.database.rows(`update people_v1.people set name = 'Mallory' where id = 3`);
    const compared = await run({ verify: true });
    expect(compared.map(([name, { differences }]) => [name, differences.length])).to.deep.equal([
      ['people', 1],
      ['poison', 0],
    ]);
    expect(await schemas()).to.deep.equal(['people_v1', 'poison_v1']);
    expect(await nameOf(3)).to.equal('Mallory');
  });

  it('swaps under a projector that goes on without losing or doubling an event', async () => {
    let adding = true;
    let added = 0;
    const writer = (async () => {
      while (adding) {
        added++;
        await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
      }
    })();
    for (let round = 0; round < 3; round++) {
      const compared = await run({ verify: false });
      expect(compared.flatMap(([, { differences }]) => differences)).to.deep.equal([]);
    }
    adding = false;
    await writer;
    await reached(engine.database, 'poison_v1', log.last);
    expect(await engine.database.rows('select score from people_v1.people where id = 1')).to.deep.equal([
      { score: added },
    ]);
    const checkpoints = await readCheckpoints(engine.database, ['people_v1', 'poison_v1']);
    expect([...checkpoints.values()].map(({ position }) => position)).to.deep.equal([log.last, log.last]);
  });

  it('swaps while somebody reads the tables of before the last one, and lets the projector go on', async () => {
    await run({ verify: false, projections: [people] });
    const beside = new Database(engine.options); // the rebuild's own connection waits
    const again = await beside.transaction(async (reader) => {
      await reader.rows('select from people_v1__old.people');
      const rebuilding = run({ verify: false, projections: [people] });
      await eventually(async () => {
        const waiting = await beside.rows(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'drop schema %'`,
        );
        return waiting.length > 0;
      });
      await reached(beside, 'people_v1', log.append(scored(1, 1)));
      return { rebuilding };
    });
    await again.rebuilding;
    await beside.close();
    expect(await schemas()).to.deep.equal(['people_v1', 'people_v1__old', 'poison_v1']);
  });

  it('rolls back to the earlier tables, brought up to date, and forth again', async () => {
    await engine.database.rows(`update people_v1.people set name = 'Mallory' where id = 3`);
    await run({ verify: false, projections: [people] });
    await reached(engine.database, 'people_v1', log.append(scored(5, 7)));
    await rollBack(context, people);
    expect(await nameOf(3)).to.equal('Mallory');
    expect(await engine.database.rows('select score from people_v1.people where id = 5')).to.deep.equal([
      { score: 7 },
    ]);
    await reached(engine.database, 'people_v1', log.append(scored(5, 7)));
    await rollBack(context, people);
    expect(await nameOf(3)).to.equal('Person 3');
    expect(await engine.database.rows('select score from people_v1.people where id = 5')).to.deep.equal([
      { score: 14 },
    ]);
  });

  it('lets the projector go on where it is stopped in the middle of a swap', async () => {
    let added = 0;
    const add = () => {
      added += 7;
      return reached(engine.database, 'people_v1', log.append(scored(5, 7)));
    };
    await run({ verify: false, projections: [people] });
    await add();
    let rounds = 0;
    let goOn: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    const source: RebuildContext['source'] = {
      async *subscribe(...args) {
        // The first goes up to the live tables, which get further meanwhile; the second runs while the projector waits.
        if (++rounds === 1) await add();
        else await stopped;
        yield* log.subscribe(...args);
      },
    };
    const incoming = await ReadModel.open(engine.database, people, 'people_v1__old');
    let swap: Promise<unknown>;
    do {
      rounds = 0;
      let isOver = false;
      swap = swapIn({ ...context, source }, incoming, '200ms')
        .catch((error: unknown) => error)
        .finally(() => (isOver = true));
      await eventually(() => rounds === 2 || isOver);
      // A slow machine may stop it before it is there.
    } while (rounds < 2 && (await swap) instanceof DatabaseUnavailable);
    await add();
    goOn();
    expect(await swap).to.be.instanceOf(DatabaseUnavailable);
    expect(await engine.database.rows('select score from people_v1.people where id = 5')).to.deep.equal([
      { score: added },
    ]);
  });

  for (const isRunning of [true, false])
    it(`brings dropped tables back, ${isRunning ? 'under a projector' : 'with nothing else at work'}`, async () => {
      const rows = () => engine.database.rows('select * from people_v1.people order by id');
      const before = await rows();
      if (!isRunning) await projector?.stop();
      await dropSchema(engine.database, 'people_v1');
      await ensureSchemas(engine.database, [people], TEST_MIGRATIONS);
      filled.length = 0;
      expect(await run({ verify: false })).to.deep.equal([['poison', { rows: 20, differences: [] }]]);
      expect(filled).to.deep.equal(['people']);
      expect(await rows()).to.deep.equal(before);
      if (!isRunning) projector = startProjector(engine, log, [people, poison]);
      await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    });

  it('refuses to roll back where there is nothing to go back to', async () => {
    const refusal = await rollBack(context, people).catch((error: unknown) => error);
    expect(String(refusal)).to.match(/no earlier tables/);
  });

  it('brings a stopped projection back to work, and tells that it is', async () => {
    const told = new ReadYourWrites({ database: engine.options, schemas: { poison: 'poison_v1' } });
    await told.start();
    const isStopped = () => told.positions().some(({ stopped }) => stopped);
    await engine.database.rows('delete from poison_v1.doses');
    await engine.database.rows('alter table poison_v1.doses add check (id <> 1000)');
    log.append(dosed(1000, 1));
    await eventually(isStopped);
    await run({ verify: false, projections: [poison] });
    expect((await listStopped(engine.database)).size).to.equal(0);
    await eventually(() => !isStopped());
    await told.close();
    await reached(engine.database, 'poison_v1', log.append(dosed(1001, 1)));
  });

  it('says so where a stopped projection cannot take the last event of the log even now', async () => {
    log.append(dosed(1000, 100));
    await eventually(async () => (await listStopped(engine.database)).size > 0);
    const refusal = await run({ verify: false, projections: [poison] }).catch((error: unknown) => error);
    expect(String(refusal)).to.match(/poison cannot take Dosed/);
    expect((await listStopped(engine.database)).size).to.equal(1);
  });

  it('leaves the live tables alone when an event cannot be taken', async () => {
    const bad = {
      ...people,
      on: {
        Asked: () => {
          throw new Error('no');
        },
      },
    };
    const refusal = await run({ verify: false, projections: [bad] }).catch((error: unknown) => error);
    expect(String(refusal)).to.match(/people cannot take Asked, revision 0 of thing-0, position 7: .*no/);
    expect(await schemas()).to.deep.equal(['people_v1', 'poison_v1']);
  });

  it('refuses where the live tables are of a longer log, and changes nothing', async () => {
    await projector?.stop();
    const store = new MemoryEventStore();
    context = { ...context, source: new EventLog({ store, people: new TestPeople() }) };
    const refusal = await run({ verify: false, projections: [people] }).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(PositionNotInLog);
    expect(await schemas()).to.deep.equal(['people_v1', 'poison_v1']);
  });

  it('refuses to run twice at once', async () => {
    await alone(engine.database, async () => {
      const refusal = await alone(engine.database, () => Promise.resolve()).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(RebuildRunning);
    });
    await alone(engine.database, () => Promise.resolve());
  });

  it('ends when its lock is lost, and leaves alone what another may have made since', async () => {
    const rebuilding = alone(engine.database, async (lost) => {
      context = { ...context, signal: lost };
      const isLost = once(lost, 'abort');
      await engine.database.rows(sql`
        select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and d.datname = current_database()`);
      await isLost;
      await alone(engine.database, () => engine.database.rows('create schema people_v1__next'));
      await run({ verify: false });
    });
    const refusal: unknown = await rebuilding.catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DatabaseUnavailable);
    expect((refusal as Error).cause).to.be.instanceOf(RebuildLockLost);
    expect(await schemas()).to.deep.equal(['people_v1', 'people_v1__next', 'poison_v1']);
  });
});

/** 20 people, doses and moods, and some changes. */
const history = () =>
  Array.from({ length: 20 }, (_, index) => index + 1).flatMap((id) => [
    person(id, `Person ${id}`),
    dosed(id, id),
    asked({
      table: 'moods',
      ask: 'put',
      key: { room: 'r', person: id },
      values: { mood: 'good', strength: 1 },
    }),
    asked({
      table: 'moods',
      ask: id > 2 ? 'patch' : 'remove',
      key: { room: 'r', person: id },
      values: { mood: 'bad' },
    }),
    asked(
      { table: 'seats', ask: 'put', key: { room: 'r', seat: id }, values: { person: id } },
      { table: 'seats', ask: 'removeWhere', key: { room: 's' }, values: {} },
    ),
  ]);
