import { expect } from 'chai';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import type { DomainBatch, EventLog } from '../../src/event-log/event-log.js';
import { eventsBetween } from '../../src/event-log/events-between.js';
import { START, type Position } from '../../src/event-store/event-store.js';

const at = (position: Position) => ({ position }) as DomainEvent;

/** A log that gives these batches and no more, with `last` as the position of its last event. */
const logOf = (
  last: Position,
  ...batches: readonly DomainBatch[]
): Pick<EventLog, 'subscribe' | 'lastPosition'> => ({
  lastPosition: () => Promise.resolve(last),
  async *subscribe() {
    yield* batches;
    await Promise.reject(new Error('waited for ever'));
  },
});

async function read(log: Parameters<typeof eventsBetween>[0], until: Position): Promise<Position[]> {
  const positions: Position[] = [];
  for await (const { position } of eventsBetween(log, START, until)) positions.push(position);
  return positions;
}

describe('the events of the log between two positions', () => {
  it('end with the log, or before the first event beyond', async () => {
    const all = { events: [at(1n), at(3n), at(5n)], caughtUp: true };
    expect(await read(logOf(5n, all), 9n)).to.deep.equal([1n, 3n, 5n]);
    expect(await read(logOf(9n, { ...all, caughtUp: false }), 4n)).to.deep.equal([1n, 3n]);
    expect(await read(logOf(9n, { ...all, caughtUp: false }), 5n)).to.deep.equal([1n, 3n, 5n]);
    expect(await read(logOf(START, { events: [], caughtUp: true }), 5n)).to.deep.equal([]);
  });

  it('are waited for at a node that has caught up and is behind the leader', async () => {
    const behind = { events: [at(1n)], caughtUp: true };
    const nothing = { events: [], caughtUp: true };
    const rest = { events: [at(3n), at(5n)], caughtUp: true };
    expect(await read(logOf(5n, behind, nothing, rest), 5n)).to.deep.equal([1n, 3n, 5n]);
    expect(await read(logOf(5n, behind, rest), 4n)).to.deep.equal([1n, 3n]);
  });
});
