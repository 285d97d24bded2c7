import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { Queues } from '../../src/concurrency/queues.js';
import { rejection } from '../support/rejection.js';

describe('queues', () => {
  it('let work of one key take turns, also what comes while the second one runs', async () => {
    const queues = new Queues();
    const said: string[] = [];
    const work = (key: string, name: string) =>
      queues.run(key, async () => {
        said.push(`${name} begins`);
        await turn();
        said.push(`${name} ends`);
      });
    const [first, second] = [work('a', '1'), work('a', '2')];
    await first;
    await Promise.all([second, work('a', '3')]);
    expect(said.splice(0)).to.deep.equal(
      ['1', '2', '3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
    await Promise.all([work('a', '4'), work('b', '5')]);
    expect(said).to.deep.equal(['4 begins', '5 begins', '4 ends', '5 ends']);
  });

  it('go on after a failure', async () => {
    const queues = new Queues();
    const broken = queues.run('a', () => Promise.reject(new Error('broken')));
    const next = queues.run('a', () => Promise.resolve('done'));
    expect(await rejection(broken)).to.have.property('message', 'broken');
    expect(await next).to.equal('done');
  });
});
