import { expect } from 'chai';
import { EventStoreUnavailable } from '../../src/event-store/event-store.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import { GitBusy } from '../../src/git/port/errors.js';
import { stubbornly } from '../../src/followers/stubbornly.js';
import { silent } from '../projections/engine/silent.js';

const event = { stream: 'thing-1', revision: 0, type: 'Happened' } as DomainEvent;
/** As often as what is wrong with an event is tried. */
const TIMES = 5;

/** What comes of work that fails so often with the error. */
function failing(error: Error) {
  let left = TIMES;
  const work = () => (left-- > 0 ? Promise.reject(error) : Promise.resolve('done'));
  return stubbornly(event, work, { logger: silent, signal: new AbortController().signal });
}

describe('what follows from an event', () => {
  it('is tried five times, and passed over where it fails each time', async () => {
    let tries = 0;
    const work = (): Promise<string> => {
      tries += 1;
      return Promise.reject(new Error('wrong'));
    };
    const { signal } = new AbortController();
    expect(await stubbornly(event, work, { logger: silent, signal })).to.equal(undefined);
    expect(tries).to.equal(TIMES);
  });

  it('is done however long the log is away, git busy, or the disk full', async () => {
    const troubles = [
      new EventStoreUnavailable('away'),
      new GitBusy('a thousand wait'),
      Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' }),
      Object.assign(new Error('could not extend file'), { code: '53100' }),
      new Error('failed to write out file: No space left on device'),
    ];
    expect(await Promise.all(troubles.map(failing))).to.deep.equal(troubles.map(() => 'done'));
  });
});
