import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { START, type EventStore, type Position } from '../../../src/event-store/event-store.js';
import { MemoryEventStore } from '../../../src/event-store/memory/memory-event-store.js';
import { Metrics } from '../../../src/http/server/metrics.js';
import { lagsOf } from '../../../src/http/system/lags.js';
import { rejection } from '../../support/rejection.js';

describe('metrics', () => {
  it('say nothing of what cannot be asked for, or not in time, and count that', async () => {
    const there = <T>(answer: T) => Promise.resolve(answer);
    let through: typeof there = there;
    const metrics = new Metrics({
      lags: () => through([{ projection: 'quota', events: 3, seconds: 2 }]),
      deliveries: () => through({ pending: 5 }),
    });
    const told = async () => {
      const lines = (await metrics.text()).split('\n');
      return lines.filter((line) => /^tallyforge_(projection|webhook|metrics)/.test(line));
    };
    const shown = [
      'tallyforge_projection_lag_events{projection="quota"} 3',
      'tallyforge_projection_lag_seconds{projection="quota"} 2',
      'tallyforge_projection_stopped{projection="quota"} 0',
      'tallyforge_webhook_deliveries{status="pending"} 5',
    ];
    expect(await told()).to.deep.equal(shown);
    const away = () => Promise.reject(new Error('away'));
    const silent = () => new Promise<never>(() => undefined);
    for (const failing of [away, silent]) {
      through = failing;
      await told();
      const failed = await told();
      expect(failed).to.have.length(4);
      for (const line of failed)
        expect(line).to.match(/^tallyforge_metrics_failed_total\{metric="tallyforge_.*"\} /);
      through = there;
      expect(await told()).to.include.members(shown);
    }
  });

  it('ask how far the read models are once a scrape', async () => {
    let asked = 0;
    const metrics = new Metrics({
      lags: () => {
        asked += 1;
        return Promise.resolve([{ projection: 'quota', events: asked, seconds: 2 }]);
      },
    });
    await metrics.text();
    expect(asked).to.equal(1);
    expect(await metrics.text()).to.include('tallyforge_projection_lag_events{projection="quota"} 2');
  });

  it('ask the log once for read models that stand at the same position', async () => {
    const store = new MemoryEventStore();
    const append = (revision: number) =>
      store.append('a-1', revision < 0 ? 'noStream' : revision, [
        { id: randomUUID(), type: 'Happened', data: {}, metadata: {} },
      ]);
    for (const revision of [-1, 0, 1]) await append(revision);
    const asked: Position[] = [];
    const subscribe: EventStore['subscribe'] = (after, options) => {
      asked.push(after);
      return store.subscribe(after, options);
    };
    const lags = await lagsOf(
      { lastPosition: () => store.lastPosition(), subscribe },
      {
        lag: (head) =>
          [1n, 2n, 1n, 3n].map((position, index) => ({
            projection: String(index),
            position,
            behind: head - position,
          })),
      },
    );
    expect(asked).to.have.members([1n, 2n]);
    expect(lags.map(({ events }) => events)).to.deep.equal([2, 1, 2, 0]);
  });

  for (const [what, batches] of [
    ['says nothing', []],
    [
      'has caught up without the event, as a node of a cluster that is behind',
      [{ events: [], caughtUp: true }],
    ],
  ] as const)
    it(`wait no longer than a moment for a log that ${what}`, async () => {
      const silent: Pick<EventStore, 'lastPosition' | 'subscribe'> = {
        lastPosition: () => Promise.resolve(9n),
        async *subscribe(_, { signal }) {
          yield* batches;
          await once(signal, 'abort');
        },
      };
      const lag = () => [{ projection: 'quota', position: START, behind: 5n }];
      const error = await rejection(lagsOf(silent, { lag })); // and not that nothing is old
      expect(error).to.have.property('name', 'TimeoutError');
    });
});
