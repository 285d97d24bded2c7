import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { EventSource, ProjectedBatch } from '../../../projections/engine/event-source.js';
import { Fleet } from '../../../projections/engine/fleet.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { schemaOf } from '../../../projections/projection.js';
import { people, poison } from './people.js';
import { silent } from './silent.js';
import { engineDatabase, eventually, type EngineDatabase } from './support.js';

const CAUGHT_UP: ProjectedBatch = { events: [], caughtUp: true };

describe('a fleet', () => {
  let engine: EngineDatabase;
  beforeEach(async () => {
    engine = await engineDatabase([people, poison]);
  });
  afterEach(() => engine.drop());

  /** Two lanes that have caught up with the log, of which one is an event ahead, so that the other follows to be merged. */
  async function fleetOf(follow: (signal: AbortSignal) => Promise<unknown>): Promise<Fleet> {
    const { database, options } = engine;
    let subscriptions = 0;
    const source: EventSource = {
      async *subscribe(_, { signal }) {
        subscriptions += 1;
        if (subscriptions > 2) await follow(signal);
        yield CAUGHT_UP;
        if (!signal.aborted) await once(signal, 'abort');
      },
    };
    const models = await Promise.all(
      [people, poison].map((each) => ReadModel.open(database, each, schemaOf(each))),
    );
    const checkpoints = new Map(
      models.map(({ schema }, index) => [schema, { position: BigInt(index), recordedAt: new Date(0) }]),
    );
    const onFailure = () => Promise.resolve();
    return new Fleet(
      { database: options, source, log: silent, notify: false, onFailure },
      models,
      checkpoints,
    );
  }

  it('tries nothing again once lanes could not be merged, and leaves that to its owner', async () => {
    let tries = 0;
    const fleet = await fleetOf(() => {
      tries += 1;
      return Promise.reject(new Error('the log is away'));
    });
    await eventually(() => fleet.failure !== undefined);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    expect(fleet.failure?.error).to.have.property('message', 'the log is away');
    expect(tries).to.equal(1);
    await fleet.stop();
  });

  it('has stopped only when a lane that is to be merged has, too', async () => {
    let isFollowing = false;
    const fleet = await fleetOf(async (signal) => {
      isFollowing = true;
      await once(signal, 'abort');
      for (let turns = 0; turns < 100; turns += 1) await turn();
      isFollowing = false;
    });
    await eventually(() => isFollowing);
    await fleet.stop();
    expect(isFollowing).to.equal(false);
  });
});
