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

/** Pages of the log in position order. The next page is fetched while the consumer works on the one before. */
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

/** As `readPage`. Rejects with `PositionNotInLog` where the log ends before the position. */
async function firstPage(options: SubscriptionOptions): Promise<Page | undefined> {
  const { pages, after, signal } = options;
  const page = await readPage(options, after);
  if (page?.events.length !== 0) return page;
  const end = await untilAnswered(() => pages.end(), signal);
  if (end !== undefined && end < after) throw new PositionNotInLog(after);
  return page;
}

/** The next events after a position; undefined once aborted. */
function readPage(
  { pages, maxBatch, signal }: SubscriptionOptions,
  after: Position,
): Promise<Page | undefined> {
  const page = untilAnswered(() => pages.after(after, maxBatch), signal);
  page.catch(() => undefined); // it is read ahead: who asks for it is told
  return page;
}

/** Asks until the server answers; undefined once aborted. */
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
