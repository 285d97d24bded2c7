import { setTimeout as sleep } from 'node:timers/promises';
import { confirmPosition } from '../../event-store/confirm-position.js';
import { later, START, type EventStore, type Position } from '../../event-store/event-store.js';
import type { ReadYourWrites } from '../../read-your-writes/read-your-writes.js';
import type { Lag } from '../server/metrics.js';

/**
 * Measures how far each read model is behind the log; ages are those of the events' recording in the log. Rejects with
 * `PositionNotInLog` if a read model shows an event that the log has lost, as after an older back-up was put back, and if
 * the log does not give an event that a read model has not seen.
 */
export async function lagsOf(
  store: Pick<EventStore, 'lastPosition' | 'subscribe'>,
  readYourWrites: Pick<ReadYourWrites, 'lag'>,
): Promise<Lag[]> {
  const shown = readYourWrites.lag(START).map(({ position }) => position);
  const head = await store.lastPosition();
  const furthest = shown.reduce(later, START);
  if (furthest > head) await confirmPosition(store, furthest, { maxBatch: 1 });
  const progress = readYourWrites.lag(head);
  // By position, because most read models stand at the same one and a subscription may need a connection of its own.
  const ages = new Map<Position, Promise<number>>();
  const ageAfter = (position: Position) => {
    const age = ages.get(position) ?? secondsSinceNext(store, position);
    ages.set(position, age);
    return age;
  };
  return Promise.all(
    progress.map(async ({ projection, position, behind, stopped }) => ({
      projection,
      events: Number(behind),
      seconds: behind > 0n ? await ageAfter(position) : 0,
      ...(stopped && { stoppedAt: stopped }),
    })),
  );
}

const LOOK_FOR_MS = 2_000;

/**
 * Returns the age in seconds of the first event after `position`, which the log has, even if the node that is asked does
 * not have it yet. Rejects if it is not given.
 */
async function secondsSinceNext(store: Pick<EventStore, 'subscribe'>, position: Position): Promise<number> {
  const looking = new AbortController();
  const { signal } = looking;
  const late = sleep(LOOK_FOR_MS, undefined, { signal }).then(
    () => {
      looking.abort();
    },
    () => undefined,
  );
  try {
    for await (const { events } of store.subscribe(position, { signal, maxBatch: 1 })) {
      const [next] = events;
      if (next) return Math.max(0, (Date.now() - next.recordedAt.getTime()) / 1000);
    }
    throw new DOMException(`no event within ${LOOK_FOR_MS} ms`, 'TimeoutError');
  } finally {
    looking.abort();
    await late;
  }
}
