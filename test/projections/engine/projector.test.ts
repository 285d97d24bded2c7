import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { Fenced } from '../../../projections/engine/errors.js';
import { flush } from '../../../projections/engine/flush.js';
import type { Flushed } from '../../../projections/engine/lane.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { ensureSchemas } from '../../../projections/engine/schemas.js';
import { Session } from '../../../projections/engine/session.js';
import { listStopped } from '../../../projections/engine/status.js';
import { createLogger } from '../../../src/logging/logger.js';
import { people, poison, TEST_MIGRATIONS } from './people.js';
import {
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
import { TestLog } from './test-log.js';

describe('the projector', () => {
  let engine: EngineDatabase;
  let log: TestLog;
  const running: RunningProjector[] = [];

  beforeEach(async () => {
    engine = await engineDatabase([people, poison]);
    log = new TestLog(7);
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await engine.drop();
  });

  const start = (...args: Parameters<typeof startProjector>) => {
    const projector = startProjector(...args);
    running.push(projector);
    return projector;
  };
  const stopped = async () => {
    const [row] = await engine.database.rows('select * from projector.status');
    return row ?? {};
  };
  const scores = () =>
    engine.database.rows<{ id: number; score: number }>('select id, score from people_v1.people order by id');

  it('builds from the first event, then follows', async () => {
    log.append(person(1, 'Ada'), ...Array.from({ length: 100 }, () => scored(1, 1)));
    start(engine, log, [people, poison]);
    await reached(engine.database, 'people_v1', log.last);
    const last = log.append(scored(1, 1));
    await reached(engine.database, 'people_v1', last);
    await reached(engine.database, 'poison_v1', last);
    expect(await scores()).to.deep.equal([{ id: 1, score: 101 }]);
  });

  it('goes on where it stopped', async () => {
    const first = start(engine, log, [people, poison]);
    await reached(engine.database, 'people_v1', log.append(person(1, 'Ada'), scored(1, 1)));
    await first.stop();
    log.append(scored(1, 1));
    start(engine, log, [people, poison]);
    await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    expect(await scores()).to.deep.equal([{ id: 1, score: 3 }]);
  });

  it('lets projections at different checkpoints catch up apart, then go on together', async () => {
    const first = start(engine, log, [poison]);
    await reached(engine.database, 'poison_v1', log.append(dosed(1, 1), person(1, 'Ada'), scored(1, 1)));
    await first.stop();
    const together: Flushed[] = [];
    start(engine, log, [people, poison], { onFlushed: (flushed) => together.push(flushed) });
    await eventually(async () => {
      await reached(engine.database, 'people_v1', log.append(scored(1, 1), dosed(2, 2)));
      return together.some(({ models }) => models.length === 2);
    });
    await reached(engine.database, 'poison_v1', log.last);
    const adds = log.events.length - 3;
    expect(await scores()).to.deep.equal([{ id: 1, score: 1 + adds / 2 }]);
  });

  for (const [title, dose, error] of [
    [
      'the database refuses its rows',
      100,
      'error: new row for relation "doses" violates check constraint "doses_dose_check"',
    ],
    ['its handler throws', -1, 'HandlerFailed: a negative dose'],
  ] as const) {
    it(`stops only the projection that cannot take an event: ${title}`, async () => {
      log.append(person(1, 'Ada'), dosed(1, 1), dosed(2, 2));
      const bad = log.append(dosed(3, dose));
      log.append(scored(1, 1), dosed(4, 4));
      const errors: string[] = [];
      const destination = new PassThrough().on('data', (line: Buffer) => errors.push(line.toString()));
      start(engine, log, [people, poison], {
        log: createLogger({ name: 'test', level: 'error', destination }),
      });
      await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
      await eventually(async () => (await listStopped(engine.database)).size > 0);

      expect(await listStopped(engine.database)).to.deep.equal(new Map([['poison_v1', bad]]));
      expect(errors).to.have.length(1);
      expect(await stopped()).to.include({ error });
      const { stream, revision } = log.events.find(({ position }) => position === bad) ?? {};
      const told = { schema: 'poison_v1', stream, revision, position: String(bad) };
      expect(JSON.parse(errors[0] ?? '')).to.include(told);
      expect(await scores()).to.deep.equal([{ id: 1, score: 2 }]);
      const doses = await engine.database.rows('select id from poison_v1.doses order by id');
      expect(doses).to.deep.equal([{ id: 1 }, { id: 2 }]);
      await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    });
  }

  it('tries an event again before it stops', async () => {
    let failing = 3;
    const hesitant = {
      ...poison,
      on: {
        Dosed: (...args: Parameters<(typeof poison.on)[string]>) => {
          if (failing-- > 0) throw new Error('not yet');
          poison.on.Dosed?.(...args);
        },
      },
    };
    start(engine, log, [hesitant]);
    await reached(engine.database, 'poison_v1', log.append(dosed(1, 1)));
    expect(await engine.database.rows('select id from poison_v1.doses')).to.deep.equal([{ id: 1 }]);
    expect((await listStopped(engine.database)).size).to.equal(0);
  });

  it('stops only the projections that handle an event that cannot be read', async () => {
    log.append(person(1, 'Ada'), dosed(1, 1));
    const bad = log.appendUnreadable('Dosed');
    start(engine, log, [people, poison]);
    await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    await eventually(async () => (await listStopped(engine.database)).size > 0);
    expect(await listStopped(engine.database)).to.deep.equal(new Map([['poison_v1', bad]]));
    expect(await scores()).to.deep.equal([{ id: 1, score: 1 }]);
    const { stream, revision, error } = await stopped();
    expect({ stream, revision, error }).to.deep.equal({
      stream: 'thing-2',
      revision: 0,
      error: 'HandlerFailed: damaged',
    });
  });

  it('stops what would have to erase somebody, where it cannot be read who that is', async () => {
    const erases = [{ table: 'people', set: 'name = null', where: 'id = $1' }];
    log.append(person(1, 'Ada'));
    const bad = log.appendUnreadable('PersonErased');
    start(engine, log, [{ ...people, erases }, poison]);
    await reached(engine.database, 'poison_v1', log.append(dosed(1, 1)));
    await eventually(async () => (await listStopped(engine.database)).size > 0);
    expect(await listStopped(engine.database)).to.deep.equal(new Map([['people_v1', bad]]));
    expect(await stopped()).to.include({ error: 'HandlerFailed: damaged' });
  });

  it('passes unreadable events that no projection handles, and no others, with one warning for each type', async () => {
    const lines: string[] = [];
    const destination = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
    const warnings = () => lines.filter((line) => line.includes('passed over'));
    start(engine, log, [people, poison], { log: createLogger({ name: 'test', level: 'warn', destination }) });
    log.append(person(1, 'Ada'));
    const first = log.appendUnreadable('Stranger');
    for (let count = 0; count < 20; count++) log.appendUnreadable('Stranger');
    log.appendUnreadable('Other');
    const last = log.append(scored(1, 1));
    await reached(engine.database, 'people_v1', last);
    await reached(engine.database, 'poison_v1', last);
    expect((await listStopped(engine.database)).size).to.equal(0);
    log.appendUnreadable('Dosed');
    await eventually(async () => (await listStopped(engine.database)).size > 0);
    expect(warnings()).to.have.length(2);
    expect(warnings()[0]).to.include('"type":"Stranger"').and.include(`"position":"${first}"`);
  });

  it('takes a stopped projection up again once its cause is gone', async () => {
    log.append(dosed(1, 100));
    const first = start(engine, log, [people, poison]);
    await eventually(async () => (await listStopped(engine.database)).has('poison_v1'));
    await first.stop();
    await engine.database.rows('alter table poison_v1.doses drop constraint doses_dose_check');
    start(engine, log, [people, poison]);
    await reached(engine.database, 'poison_v1', log.append(dosed(2, 2)));
    await eventually(async () => (await listStopped(engine.database)).size === 0);
  });

  it('goes on to tell of a projection that stops again after a start', async () => {
    const bad = log.append(dosed(1, 100));
    const first = start(engine, log, [people, poison]);
    await eventually(async () => (await listStopped(engine.database)).has('poison_v1'));
    await first.stop();
    const errors: string[] = [];
    const destination = new PassThrough().on('data', (line: Buffer) => errors.push(line.toString()));
    start(engine, log, [people, poison], {
      log: createLogger({ name: 'test', level: 'error', destination }),
    });
    await eventually(() => errors.length > 0);
    await reached(engine.database, 'people_v1', log.append(person(1, 'Ada')));
    await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    expect(await listStopped(engine.database)).to.deep.equal(new Map([['poison_v1', bad]]));
  });

  it('clears the status of a projection that goes on, later if it cannot at once', async () => {
    const { database } = engine;
    log.append(dosed(1, 1));
    await database.rows(`
      create function projector.refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
      create trigger refuse before delete on projector.status execute function projector.refuse();
      insert into projector.status (schema, stream, revision, position, error)
      values ('poison_v1', 'thing-1', 0, 0, 'cured')`);
    const lines: string[] = [];
    const destination = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
    start(engine, log, [people, poison], { log: createLogger({ name: 'test', level: 'warn', destination }) });
    await eventually(() => lines.some((line) => line.includes('could not clear the status')));
    await database.rows('drop trigger refuse on projector.status; drop function projector.refuse()');
    log.append(dosed(2, 2));
    await eventually(async () => (await listStopped(database)).size === 0);
  });

  it('writes nothing where another writer moved the checkpoint', async () => {
    const last = log.append(person(1, 'Ada'));
    const model = await ReadModel.open(engine.database, people, 'people_v1');
    const session = await Session.connect(engine.options);
    const step = { from: -1n, to: log.checkpoint, parts: [model.gather(log.events)] };
    await flush(session, step, false);
    log.append(person(1, 'Grace'));
    const late = { from: -1n, to: log.checkpoint, parts: [model.gather(log.events)] };
    const failure = await flush(session, late, false).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Fenced);
    expect(await engine.database.rows('select name from people_v1.people')).to.deep.equal([{ name: 'Ada' }]);
    await flush(session, { ...late, from: last }, false); // the session is as good as before
    await session.close();
  });

  it('goes on at once where another writer moved one of the checkpoints, whether or not more events come', async () => {
    start(engine, log, [people, poison]);
    const first = log.append(person(1, 'Ada'));
    await Promise.all(['people_v1', 'poison_v1'].map((schema) => reached(engine.database, schema, first)));
    await engine.database.rows('update poison_v1.checkpoint set position = position + 10');
    await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    expect(await scores()).to.deep.equal([{ id: 1, score: 1 }]);
  });

  it('gets over a database that cuts its connections', async () => {
    start(engine, log, [people, poison]);
    await reached(engine.database, 'people_v1', log.append(person(1, 'Ada')));
    await engine.database.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'test %'`,
    );
    await reached(engine.database, 'people_v1', log.append(scored(1, 5)));
    expect(await scores()).to.deep.equal([{ id: 1, score: 5 }]);
  });

  it('hands over to a standby when it stops', async () => {
    const first = start(engine, log, [people, poison]);
    await reached(engine.database, 'people_v1', log.append(person(1, 'Ada')));
    start(engine, log, [people, poison]);
    await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    await first.stop();
    await reached(engine.database, 'people_v1', log.append(scored(1, 1)));
    expect(await scores()).to.deep.equal([{ id: 1, score: 2 }]);
  });

  it('builds a new version beside the old one', async () => {
    start(engine, log, [people]);
    await reached(engine.database, 'people_v1', log.append(person(1, 'Ada')));
    const second = { ...people, version: 2 };
    const [ensured] = await ensureSchemas(engine.database, [second], TEST_MIGRATIONS);
    expect(ensured).to.deep.include({ schema: 'people_v2', created: true, otherVersions: ['people_v1'] });
    start(engine, log, [second]);
    await reached(engine.database, 'people_v2', log.last);
    const last = log.append(scored(1, 1));
    await Promise.all([
      reached(engine.database, 'people_v1', last),
      reached(engine.database, 'people_v2', last),
    ]);
    const [again] = await ensureSchemas(engine.database, [second], TEST_MIGRATIONS);
    expect(again?.created).to.equal(false);
  });
});

describe('opening a read model', () => {
  let engine: EngineDatabase;
  before(async () => (engine = await engineDatabase([people, poison])));
  after(() => engine.drop());

  const refusal = async (tables: typeof poison.tables) => {
    const opened = ReadModel.open(engine.database, { ...poison, tables }, 'poison_v1');
    return opened.then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
  };

  it('refuses a table that the migrations do not make', async () =>
    expect(await refusal({ drugs: { key: ['id'] } })).to.match(/drugs.*do not create it/));
  it('refuses a key that is not unique', async () =>
    expect(await refusal({ doses: { key: ['dose'] } })).to.match(/needs a primary key \(dose\)/));
  it('refuses history without validity', async () =>
    expect(await refusal({ doses: { key: ['id'], history: true } })).to.match(/valid_from/));
  it('refuses sets without members', async () =>
    expect(await refusal({ doses: { key: ['id'], sets: true } })).to.match(/needs block/));
});
