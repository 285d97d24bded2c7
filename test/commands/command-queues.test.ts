import { expect } from 'chai';
import { commandQueues } from '../../src/commands/command-queues.js';
import { EventStoreUnavailable } from '../../src/event-store/event-store.js';
import { until } from '../support/process.js';
import { rejection } from '../support/rejection.js';

describe('queues of work that writes to the log', () => {
  const unavailable = () => Promise.reject(new EventStoreUnavailable('silent'));
  const never = () => Promise.reject(new Error('it was begun'));

  it('fail what waits while another finds the log unavailable, under whichever key', async () => {
    const queues = commandQueues();
    let end: () => void = () => undefined;
    const other = queues.run('other', () => new Promise<void>((resolve) => (end = resolve)));
    const waiting = [queues.run('other', never), queues.run('one', unavailable), queues.run('one', never)];
    const errors = Promise.all(waiting.map(rejection));
    await waiting[1]?.catch(end); // at once: what waits longer tries for itself
    for (const error of await errors) expect(error).to.be.instanceOf(EventStoreUnavailable);
    await other;
    expect(await queues.run('one', () => Promise.resolve('later'))).to.equal('later');
  });

  it('begin what has waited for long since', async () => {
    const queues = commandQueues();
    let end: () => void = () => undefined;
    const long = queues.run('other', () => new Promise<void>((resolve) => (end = resolve)));
    const waiting = queues.run('other', () => Promise.resolve('begun'));
    await rejection(queues.run('one', unavailable));
    const since = performance.now();
    await until(() => performance.now() - since > 2_000);
    end();
    await long;
    expect(await waiting).to.equal('begun');
  });
});
