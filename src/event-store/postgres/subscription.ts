import { unlessAborted } from '../../concurrency/unless-aborted.js';
import { EventStoreUnavailable, PositionNotInLog, type Batch, type Position } from '../event-store.js';
import type { Page, Pages } from './pages.js';
import type { WakeUps } from './wake-ups.js';

interface SubscriptionOptions {
  readonly pages: Pages;
  readonly wakeUps: WakeUps;
  readonly after: Position;
  readonly maxBatch: number;
  readonly signal: AbortSignal;
}

const POLL_MS = 250;

/** Yields pages of the log in position order. Reads the next page while the consumer works on the current one. */
export async function* subscription(given: SubscriptionOptions): AsyncGenerator<Batch> {
  const left = new AbortController();
  const signal = AbortSignal.any([given.signal, left.signal]);
  const options = { ...given, signal };
  let last = given.after;
  let told = false;
  let confirmed = -1; // over which of the connections, by number, the log was found to reach `last`
  let reading = readPage(options, last);
  try {
    for (;;) {
      const page = await unlessAborted(reading, signal);
      if (!page) return;
      const { events, caughtUp, connections } = page;
      last = events.at(-1)?.position ?? last;
      if (events.length === 0 && connections > confirmed) await confirm(options, last);
      confirmed = connections;
      if (!caughtUp) reading = readPage(options, last);
      if (events.length > 0 || !told) yield { events, caughtUp };
      told = caughtUp;
      if (caughtUp) {
        await given.wakeUps.after(page.wakeUps, POLL_MS, signal);
        reading = readPage(options, last);
      }
    }
  } finally {
    left.abort();
  }
}

/**
 * Rejects with `PositionNotInLog` if the log ends before the position, as a new connection may lead to a server that has
 * lost events.
 */
async function confirm({ pages, signal }: SubscriptionOptions, position: Position): Promise<void> {
  const end = await untilAnswered(() => pages.end(), signal);
  if (end !== undefined && end < position) throw new PositionNotInLog(position);
}

/** Reads the next events after a position, with retries until the server answers; resolves with undefined if aborted. */
function readPage(
  { pages, maxBatch, signal }: SubscriptionOptions,
  after: Position,
): Promise<Page | undefined> {
  const page = untilAnswered(() => pages.after(after, maxBatch), signal);
  page.catch(() => undefined); // it is read ahead: the consumer gets the error when it awaits the page
  return page;
}

/** Calls `ask` until the server answers; resolves with undefined if aborted. */
async function untilAnswered<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
    }
  }
  return undefined;
}
