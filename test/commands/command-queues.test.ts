import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { commandQueues } from '../../src/commands/command-queues.js';
import { EventStoreUnavailable } from '../../src/event-store/event-store.js';
import { rejection } from '../support/rejection.js';

describe('queues of work that writes to the log', () => {
  const unavailable = () => Promise.reject(new EventStoreUnavailable('silent'));
  const never = () => Promise.reject(new Error('it was begun'));

  it('fail what waits while another finds the log unavailable, under whichever key', async () => {
    const queues = commandQueues();
    const other = queues.run('other', () => sleep(50));
    const waiting = [queues.run('other', never), queues.run('one', unavailable), queues.run('one', never)];
    for (const error of await Promise.all(waiting.map(rejection)))
      expect(error).to.be.instanceOf(EventStoreUnavailable);
    await other;
    expect(await queues.run('one', () => Promise.resolve('later'))).to.equal('later');
  });

  it('begin what has waited for long since', async () => {
    const queues = commandQueues();
    const long = queues.run('other', () => sleep(2_200));
    const waiting = queues.run('other', () => Promise.resolve('begun'));
    await rejection(queues.run('one', unavailable));
    await long;
    expect(await waiting).to.equal('begun');
  });
});
