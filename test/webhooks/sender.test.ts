import { expect } from 'chai';
import { WakeUps } from '../../src/event-store/postgres/wake-ups.js';
import type { Lane, Lanes } from '../../src/webhooks/lanes.js';
import { PLACES, Sender } from '../../src/webhooks/sender.js';
import { silent } from '../projections/engine/silent.js';
import { until } from '../support/process.js';

describe('a sender', () => {
  it('serves as many hooks at a time as it has places for', async () => {
    const stop = new AbortController();
    const asked: number[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const lane: Lane = { hookId: 1, retry: false, holder: '', wanted: 0n };
    const lanes: Partial<Lanes> = {
      claim: (retry, _, most) => {
        if (!retry) asked.push(most);
        return Promise.resolve(retry ? [] : new Array<Lane>(Math.min(most, PLACES.first - 1)).fill(lane));
      },
      due: () => ended.then(() => []),
      close: () => Promise.resolve(true),
    };
    const wakeUps = new WakeUps();
    const unused = () => Promise.reject(new Error('nothing is due'));
    const running = new Sender({
      lanes: lanes as Lanes,
      wakeUps,
      log: silent,
      findTarget: unused,
      thaw: () => ({ url: '', contentType: 'json' }),
      post: unused,
      now: () => new Date(),
    }).run(stop.signal);
    await until(() => asked.length === 2);
    expect(asked).to.deep.equal([PLACES.first, 1]);
    stop.abort();
    end();
    await running;
  });
});
