import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { readCheckpoint } from '../../../projections/engine/checkpoint.js';
import { Lane, type Failure } from '../../../projections/engine/lane.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { schemaOf, type Projection } from '../../../projections/projection.js';
import type { Logger } from '../../../src/logging/logger.js';
import { waitingForLocks } from '../../support/waiting-for-locks.js';
import { people, poison } from './people.js';
import { silent } from './silent.js';
import { dosed, engineDatabase, eventually, person, type EngineDatabase } from './support.js';
import { TestLog } from './test-log.js';

describe('a lane', () => {
  let engine: EngineDatabase;

  beforeEach(async () => {
    engine = await engineDatabase([people, poison]);
  });
  afterEach(() => engine.drop());

  /** A lane before the first event, of these projections. */
  async function laneOf(log: TestLog, projections: readonly Projection[], logger: Logger) {
    const { database, options } = engine;
    const failures: Failure[] = [];
    const lane = new Lane(
      {
        database: { ...options, applicationName: 'writer' },
        source: log,
        log: logger,
        notify: false,
        onFailure: (failure) => {
          failures.push(failure);
          return Promise.resolve();
        },
      },
      await Promise.all(projections.map((each) => ReadModel.open(database, each, schemaOf(each)))),
      { position: -1n, recordedAt: new Date(0) },
    );
    return { lane, failures };
  }

  it('blames no event for a server that takes no writes, and writes once it does', async () => {
    const { database } = engine;
    const log = new TestLog();
    const until = log.append(person(1, 'Ada'));
    let refused = 0;
    const counting = { ...silent, warn: () => (refused += 1) } as unknown as Logger;
    const { lane, failures } = await laneOf(log, [people], counting);
    await engine.alter('set default_transaction_read_only = on');
    const running = lane.run({ signal: new AbortController().signal, until });
    running.catch(() => undefined);
    await eventually(() => refused > 0 || failures.length > 0);
    await engine.alter('reset default_transaction_read_only');
    await database.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'writer'`,
    );
    await running;
    expect(failures).to.deep.equal([]);
    expect((await readCheckpoint(database, 'people_v1'))?.position).to.equal(until);
  });

  it('blames no event for a limit of time that ends its transaction, and writes once it may take longer', async () => {
    const { database } = engine;
    const log = new TestLog();
    const until = log.append(person(1, 'Ada'));
    let ended = 0;
    const counting = { ...silent, warn: () => (ended += 1) } as unknown as Logger;
    const { lane, failures } = await laneOf(log, [people], counting);
    let running = Promise.resolve();
    await database.transaction(async (holder) => {
      await holder.rows('lock table people_v1.checkpoint');
      await engine.alter(`set transaction_timeout = '20ms'`);
      running = lane.run({ signal: new AbortController().signal, until });
      running.catch(() => undefined);
      await eventually(() => ended > 3 || failures.length > 0); // more than it tries an event that is to blame
      await engine.alter('reset transaction_timeout');
    });
    await running;
    expect(failures).to.deep.equal([]);
    expect((await readCheckpoint(database, 'people_v1'))?.position).to.equal(until);
  });

  it('writes what takes longer than the database lets statements take', async () => {
    const { database } = engine;
    const log = new TestLog();
    const until = log.append(person(1, 'Ada'));
    let again = 0;
    const counting = { ...silent, warn: () => (again += 1) } as unknown as Logger;
    const { lane } = await laneOf(log, [people], counting);
    let running = Promise.resolve();
    await database.transaction(async (holder) => {
      await holder.rows('lock table people_v1.checkpoint');
      await engine.alter(`set statement_timeout = '50ms'`);
      running = lane.run({ signal: new AbortController().signal, until });
      await eventually(async () => (await waitingForLocks(database, 'writer')) > 0);
      await sleep(150);
    });
    await running;
    expect(again).to.equal(0);
  });

  it('goes to the event that it was told of and no further, wherever a batch ends', async () => {
    const log = new TestLog(4);
    const until = log.append(person(1, 'Ada'), person(2, 'Ben'));
    log.append(person(3, 'Cleo'));
    const { lane } = await laneOf(log, [people], silent);
    await lane.run({ signal: new AbortController().signal, until });
    expect((await readCheckpoint(engine.database, 'people_v1'))?.position).to.equal(until);
    expect(await engine.database.rows('select id from people_v1.people')).to.have.length(2);
  });

  it('goes on past an event that one of its members cannot take, and begins nothing anew', async () => {
    const log = new TestLog(4);
    const before = log.append(dosed(1, 1), dosed(2, 2), dosed(3, 3));
    const failing = log.append(dosed(4, -1));
    const until = log.append(person(1, 'Ada'), dosed(5, 5));
    const { lane, failures } = await laneOf(log, [people, poison], silent);
    await lane.run({ signal: new AbortController().signal, until });
    expect(failures.map(({ event }) => event.position)).to.deep.equal([failing]);
    const { database } = engine;
    expect((await readCheckpoint(database, 'people_v1'))?.position).to.equal(until);
    expect((await readCheckpoint(database, 'poison_v1'))?.position).to.equal(before);
  });
});
