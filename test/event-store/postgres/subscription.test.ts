import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type pg from 'pg';
import type { Page, Pages } from '../../../src/event-store/postgres/pages.js';
import { subscription } from '../../../src/event-store/postgres/subscription.js';
import { WakeUps } from '../../../src/event-store/postgres/wake-ups.js';
import {
  PositionNotInLog,
  START,
  type Position,
  type RecordedEvent,
} from '../../../src/event-store/event-store.js';
import { rejection } from '../../support/rejection.js';
import { sample } from '../contract/samples.js';

const recorded = (position: Position): RecordedEvent => ({
  ...sample(),
  stream: 'a-1',
  revision: Number(position) - 1,
  position,
  recordedAt: new Date(),
});

const subscribe = (pages: Partial<Pages>, wakeUps = new WakeUps()) =>
  subscription({
    pages: pages as Pages,
    wakeUps,
    after: START,
    maxBatch: 1,
    signal: new AbortController().signal,
    onError: () => undefined,
  });

describe('a subscription to PostgreSQL', () => {
  it('tells of a page that was read ahead and refused once it is asked for it, and nobody before', async () => {
    const event = recorded(1n);
    const first: Page = { events: [event], caughtUp: false, wakeUps: 0, connections: 0, connectionsAfter: 0 };
    const refused = new Error('damaged');
    const batches = subscribe({
      after: (position) => (position === START ? Promise.resolve(first) : Promise.reject(refused)),
    });
    const unheard: unknown[] = [];
    const hear = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', hear); // which ends a process that has no such listener
    expect((await batches.next()).value).to.deep.equal({ events: [event], caughtUp: false });
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate); // its consumer is at work
    process.off('unhandledRejection', hear);
    expect(unheard).to.deep.equal([]);
    expect(await rejection(batches.next())).to.equal(refused);
  });

  it('finds that a new connection leads to a log without a page that was read ahead over the old one', async () => {
    const wakeUps = new WakeUps();
    const connect = () =>
      wakeUps.listenOn(
        Object.assign(new EventEmitter(), { query: () => Promise.resolve() }) as unknown as pg.ClientBase,
      );
    await connect();
    const [one, other] = [recorded(1n), recorded(2n)];
    const pageOf = (events: readonly RecordedEvent[]): Page => {
      const { count, connections } = wakeUps;
      return {
        events,
        caughtUp: events.length === 0,
        wakeUps: count,
        connections,
        connectionsAfter: connections,
      };
    };
    let looks = 0;
    const batches = subscribe(
      {
        after(position) {
          if (position === START) return Promise.resolve(pageOf([one]));
          if (position === 1n) return Promise.resolve(pageOf([other]));
          looks += 1;
          return looks > 2 ? Promise.reject(new Error('it goes on')) : Promise.resolve(pageOf([]));
        },
        hold: ({ position }) => Promise.resolve(position <= 1n),
      },
      wakeUps,
    );
    await batches.next();
    await connect(); // while its consumer is at work
    expect((await batches.next()).value).to.deep.equal({ events: [other], caughtUp: false });
    const lost = await rejection(batches.next());
    expect(lost).to.be.instanceOf(PositionNotInLog);
    expect((lost as PositionNotInLog).position).to.equal(2n);
  });
});
