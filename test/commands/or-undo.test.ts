import { expect } from 'chai';
import { orUndo } from '../../src/commands/or-undo.js';
import { EventStoreUnavailable } from '../../src/event-store/event-store.js';
import { rejection } from '../support/rejection.js';

describe('work that is undone where it fails', () => {
  /** What is undone, in order, after work of three steps whose second cannot be undone fails. */
  async function undoneAfter(error: Error): Promise<string[]> {
    const undone: string[] = [];
    const undo: (() => Promise<unknown>)[] = [];
    const work = () => {
      for (const step of ['first', 'second', 'third'])
        undo.push(() => {
          undone.push(step);
          return step === 'second' ? Promise.reject(new Error('stuck')) : Promise.resolve();
        });
      return Promise.reject(error);
    };
    expect(await rejection(orUndo(undo, work))).to.equal(error);
    return undone;
  }

  it('is undone from its end, past what cannot be, and says why it failed', async () => {
    expect(await undoneAfter(new Error('refused'))).to.deep.equal(['third', 'second', 'first']);
  });

  it('is left where it may have been done', async () => {
    expect(await undoneAfter(new EventStoreUnavailable('no answer'))).to.deep.equal([]);
  });
});
