import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { Slots } from '../../src/concurrency/slots.js';
import { rejection } from '../support/rejection.js';

describe('slots', () => {
  it('are taken by clients in turns, each in its own order', async () => {
    const slots = new Slots(1);
    const served: string[] = [];
    const use = async (name: string) => {
      const giveBack = await slots.take(undefined, name.slice(0, 1));
      served.push(name);
      giveBack();
      giveBack(); // frees none of another's
    };
    const round = async (...names: string[]) => {
      const giveBack = await slots.take();
      const using = names.map(use);
      expect(slots.waiting).to.equal(names.length);
      giveBack();
      await Promise.all(using);
      return served.splice(0);
    };
    expect(await round('a1', 'a2', 'a3', 'b1', 'b2', 'c1')).to.deep.equal([
      'a1',
      'b1',
      'c1',
      'a2',
      'b2',
      'a3',
    ]);
    expect(await round('a4', 'b3', 'c2')).to.deep.equal(['a4', 'b3', 'c2']);
  });

  it('are left to others by who waits no longer', async () => {
    const slots = new Slots(1);
    const { signal } = new AbortController();
    const gone = new AbortController();
    const giveBack = await slots.take();
    const left = rejection(slots.take(gone.signal));
    const next = slots.take(signal);
    gone.abort(new Error('gone'));
    expect(await left).to.have.property('message', 'gone');
    expect(slots.waiting).to.equal(1);
    giveBack();
    (await next)();
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
    expect(await rejection(slots.take(gone.signal))).to.have.property('message', 'gone');
  });
});
