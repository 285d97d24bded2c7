import { unlessAborted } from '../../concurrency/unless-aborted.js';
import { EventStoreUnavailable, PositionNotInLog, type Batch, type Position } from '../event-store.js';
import type { ShownEvent } from '../shown-events.js';
import type { Page, Pages } from './pages.js';
import type { WakeUps } from './wake-ups.js';

interface SubscriptionOptions {
  readonly pages: Pages;
  readonly wakeUps: WakeUps;
  readonly after: Position;
  readonly maxBatch: number;
  readonly signal: AbortSignal;
  /** Called each time that the server has not answered within the time limit; it is asked again. */
  readonly onError: (error: EventStoreUnavailable) => void;
}

const POLL_MS = 250;

/** Yields pages of the log in position order. Reads the next page while the consumer works on the current one. */
export async function* subscription(given: SubscriptionOptions): AsyncGenerator<Batch> {
  const left = new AbortController();
  const signal = AbortSignal.any([given.signal, left.signal]);
  const options = { ...given, signal };
  let last: ShownEvent = { position: given.after };
  let told = false;
  let confirmed = -1; // over which of the connections, by number, the log was found to hold `last`
  let reading = readPage(options, last.position);
  try {
    for (;;) {
      const page = await unlessAborted(reading, signal);
      if (!page) return;
      const { events, caughtUp, connections, connectionsAfter } = page;
      // At first, no more is known of `last` than its position, which later events prove.
      if (connectionsAfter > confirmed && (last.id !== undefined || events.length === 0))
        await confirm(options, last);
      confirmed = connections;
      const end = events.at(-1);
      if (end) last = { position: end.position, id: end.id };
      if (!caughtUp) reading = readPage(options, last.position);
      if (events.length > 0 || !told) yield { events, caughtUp };
      told = caughtUp;
      if (caughtUp) {
        await given.wakeUps.after(page.wakeUps, POLL_MS, signal);
        reading = readPage(options, last.position);
      }
    }
  } finally {
    left.abort();
  }
}

/**
 * Rejects with `PositionNotInLog` if the log does not hold the event, as a new connection may lead to a server that has
 * lost it, and has another one there by now.
 */
async function confirm(options: SubscriptionOptions, event: ShownEvent): Promise<void> {
  const held = await untilAnswered(() => options.pages.hold(event), options);
  if (held === false) throw new PositionNotInLog(event.position);
}

/** Reads the next events after a position, with retries until the server answers; resolves with undefined if aborted. */
function readPage(options: SubscriptionOptions, after: Position): Promise<Page | undefined> {
  const page = untilAnswered(() => options.pages.after(after, options.maxBatch), options);
  page.catch(() => undefined); // it is read ahead: the consumer gets the error when it awaits the page
  return page;
}

/** Calls `ask` until the server answers; resolves with undefined if aborted. */
async function untilAnswered<T>(
  ask: () => Promise<T>,
  { signal, onError }: SubscriptionOptions,
): Promise<T | undefined> {
  const goesOn = () => !signal.aborted;
  while (goesOn()) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      if (goesOn()) onError(error);
    }
  }
  return undefined;
}
