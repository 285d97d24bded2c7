import { EventStoreUnavailable, type Batch, type Position } from '../event-store.js';
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
  let reading = readPage(options, last);
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
    reading.catch(() => undefined); // nobody waits for it any more
  }
}

/** Reads until the server answers; undefined once aborted. */
async function readPage(
  { pages, maxBatch, signal }: SubscriptionOptions,
  after: Position,
): Promise<Page | undefined> {
  while (!signal.aborted) {
    try {
      return await pages.after(after, maxBatch);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
    }
  }
  return undefined;
}

/** What `promise` resolves with, or undefined as soon as `signal` is aborted; its rejection then concerns nobody. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      resolve(undefined);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
