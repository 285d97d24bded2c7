import { expect } from 'chai';
import { setMaxListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Slots } from '../../src/concurrency/slots.js';
import { GitBusy } from '../../src/git/port/errors.js';
import { Shares } from '../../src/git/shares.js';
import { rejection } from '../support/rejection.js';

describe('the share that a client has', () => {
  const patient = new AbortController().signal;

  it('is waited for by its own requests, and by nobody else', async () => {
    const shares = new Shares(1);
    const giveBack = await shares.take('ann', patient);
    let waits = true;
    const second = shares.take('ann', patient).finally(() => (waits = false));
    (await shares.take('bob', patient))();
    await turn();
    expect(waits).to.equal(true);
    giveBack();
    (await second)();
    (await shares.take('ann', patient))();
  });

  it('is not waited for by who hangs up', async () => {
    const shares = new Shares(1);
    const giveBack = await shares.take('ann', patient);
    const leaving = new AbortController();
    const second = shares.take('ann', leaving.signal);
    leaving.abort(new Error('gone'));
    expect(await rejection(second)).to.include({ message: 'gone' });
    giveBack();
    (await shares.take('ann', patient))();
  });

  it('has its turn for a place in all, however many requests of others came first', async () => {
    const shares = new Shares(8, new Slots(1));
    const order: string[] = [];
    const giveBack = await shares.take('ann', patient);
    const work = async (client: string) => {
      const done = await shares.take(client, patient);
      order.push(client);
      done();
    };
    const all = ['bob', 'bob', 'bob', 'cleo', 'cleo', 'cleo', 'dan'].map(work);
    await turn();
    giveBack();
    await Promise.all(all);
    expect(order).to.deep.equal(['bob', 'cleo', 'dan', 'bob', 'cleo', 'bob', 'cleo']);
  });

  it('is refused where a thousand wait for it', async () => {
    const shares = new Shares(0);
    const leaving = new AbortController();
    setMaxListeners(0, leaving.signal);
    const waiting = Array.from({ length: 1_000 }, () => rejection(shares.take('ann', leaving.signal)));
    expect(await rejection(shares.take('ann', patient))).to.be.instanceOf(GitBusy);
    leaving.abort(new Error('gone'));
    await Promise.all(waiting);
  });
});
