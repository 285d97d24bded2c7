import { EventStoreUnavailable, PositionNotInLog, type Batch, type Position } from '../event-store.js';
import { unlessAborted } from '../unless-aborted.js';
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
  let reading = firstPage(options);
  try {
    for (;;) {
      const page = await unlessAborted(reading, signal);
      if (!page) return;
      const { events, caughtUp } = page;
      last = events.at(-1)?.position ?? last;
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

/** Reads the first page. Rejects with `PositionNotInLog` if the log ends before the position. */
async function firstPage(options: SubscriptionOptions): Promise<Page | undefined> {
  const { pages, after, signal } = options;
  const page = await readPage(options, after);
  if (page?.events.length !== 0) return page;
  const end = await untilAnswered(() => pages.end(), signal);
  if (end !== undefined && end < after) throw new PositionNotInLog(after);
  return page;
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
