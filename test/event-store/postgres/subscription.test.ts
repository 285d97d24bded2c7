import { expect } from 'chai';
import type { Page, Pages } from '../../../src/event-store/postgres/pages.js';
import { subscription } from '../../../src/event-store/postgres/subscription.js';
import { WakeUps } from '../../../src/event-store/postgres/wake-ups.js';
import { START, type RecordedEvent } from '../../../src/event-store/event-store.js';
import { rejection } from '../../support/rejection.js';
import { sample } from '../contract/samples.js';

describe('a subscription to PostgreSQL', () => {
  it('tells of a page that was read ahead and refused once it is asked for it, and nobody before', async () => {
    const event: RecordedEvent = {
      ...sample(),
      stream: 'a-1',
      revision: 0,
      position: 1n,
      recordedAt: new Date(),
    };
    const first: Page = { events: [event], caughtUp: false, wakeUps: 0 };
    const refused = new Error('damaged');
    const pages = {
      after: (position: bigint) => (position === START ? Promise.resolve(first) : Promise.reject(refused)),
    } as unknown as Pages;
    const batches = subscription({
      pages,
      wakeUps: new WakeUps(),
      after: START,
      maxBatch: 1,
      signal: new AbortController().signal,
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
});
