import { expect } from 'chai';
import { readCheckpoint } from '../../../projections/engine/checkpoint.js';
import { Lane, type Failure } from '../../../projections/engine/lane.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import type { Logger } from '../../../src/logging/logger.js';
import { people } from './people.js';
import { silent } from './silent.js';
import { engineDatabase, eventually, person, type EngineDatabase } from './support.js';
import { TestLog } from './test-log.js';

describe('a lane', () => {
  let engine: EngineDatabase;

  beforeEach(async () => {
    engine = await engineDatabase([people]);
  });
  afterEach(() => engine.drop());

  it('blames no event for a server that takes no writes, and writes once it does', async () => {
    const { database, options } = engine;
    const log = new TestLog();
    const until = log.append(person(1, 'Ada'));
    const failures: Failure[] = [];
    let refused = 0;
    const counting = { ...silent, warn: () => (refused += 1) } as unknown as Logger;
    const lane = new Lane(
      {
        database: { ...options, applicationName: 'writer' },
        source: log,
        log: counting,
        notify: false,
        onFailure: (failure) => {
          failures.push(failure);
          return Promise.resolve();
        },
      },
      [await ReadModel.open(database, people, 'people_v1')],
      { position: -1n, recordedAt: new Date(0) },
    );
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
});
