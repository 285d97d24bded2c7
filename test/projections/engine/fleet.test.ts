import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { EventSource } from '../../../projections/engine/event-source.js';
import { Fleet } from '../../../projections/engine/fleet.js';
import { ReadModel } from '../../../projections/engine/read-model.js';
import { schemaOf } from '../../../projections/projection.js';
import { people, poison } from './people.js';
import { silent } from './silent.js';
import { engineDatabase, eventually } from './support.js';

describe('a fleet', () => {
  it('tries nothing again once lanes could not be merged, and leaves that to its owner', async () => {
    const engine = await engineDatabase([people, poison]);
    const { database, options } = engine;
    let subscriptions = 0;
    const source: EventSource = {
      async *subscribe(_, { signal }) {
        subscriptions += 1;
        if (subscriptions > 2) throw new Error('the log is away');
        yield { events: [], caughtUp: true };
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
    const fleet = new Fleet(
      { database: options, source, log: silent, notify: false, onFailure },
      models,
      checkpoints,
    );
    await eventually(() => fleet.failure !== undefined);
    for (let turns = 0; turns < 100; turns += 1) await turn();
    expect(fleet.failure?.error).to.have.property('message', 'the log is away');
    expect(subscriptions).to.equal(3);
    await fleet.stop();
    await engine.drop();
  });
});
