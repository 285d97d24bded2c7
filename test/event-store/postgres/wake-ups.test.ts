import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type pg from 'pg';
import { WakeUps } from '../../../src/event-store/postgres/wake-ups.js';

const LONG_MS = 60_000;

describe('WakeUps', () => {
  it('passes on everything that the database tells', async () => {
    const { wakeUps, notify } = await listening(0);
    const seen = wakeUps.count;
    for (let time = 0; time < 5; time++) notify();
    expect(wakeUps.count).to.equal(seen + 5);
  });

  it('passes on the first at once, and what comes soon after it together', async () => {
    const { wakeUps, notify } = await listening(20);
    const seen = wakeUps.count;
    for (let time = 0; time < 5; time++) notify();
    expect(wakeUps.count).to.equal(seen + 1);

    await wakeUps.after(seen + 1, LONG_MS, new AbortController().signal);
    expect(wakeUps.count).to.equal(seen + 2);
  });

  it('passes on at once what comes after a pause', async () => {
    const { wakeUps, notify } = await listening(5);
    notify();
    notify();
    await wakeUps.after(wakeUps.count, LONG_MS, new AbortController().signal);
    await wakeUps.after(wakeUps.count, 50, new AbortController().signal); // nothing more comes
    const seen = wakeUps.count;
    notify();
    expect(wakeUps.count).to.equal(seen + 1);
  });
});

async function listening(everyMs: number) {
  const client = Object.assign(new EventEmitter(), { query: () => Promise.resolve() });
  const wakeUps = new WakeUps(everyMs);
  await wakeUps.listenOn(client as unknown as pg.ClientBase);
  return { wakeUps, notify: () => client.emit('notification') };
}
