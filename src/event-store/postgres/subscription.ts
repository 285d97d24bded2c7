import { EventStoreUnavailable, type Batch, type Position } from '../event-store.js';
import type { Connection } from './connection.js';
import { readingPage, toEvent, type PageRow } from './statements.js';
import type { WakeUps } from './wake-ups.js';

interface SubscriptionOptions {
  readonly connection: Connection;
  readonly wakeUps: WakeUps;
  readonly after: Position;
  readonly maxBatch: number;
  readonly signal: AbortSignal;
}

interface Page extends Batch {
  /** The wake-ups before it was read. */
  readonly wakeUps: number;
}

const MAX_PAGE_BYTES = 4 * 1_048_576;
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
async function readPage(options: SubscriptionOptions, after: Position): Promise<Page | undefined> {
  const { connection, wakeUps, maxBatch, signal } = options;
  while (!signal.aborted) {
    const seen = wakeUps.count;
    try {
      const rows = await connection.query<PageRow>(readingPage(after, maxBatch, MAX_PAGE_BYTES));
      const bytes = Number(rows.at(-1)?.[8] ?? 0);
      const caughtUp = rows.length < maxBatch && bytes < MAX_PAGE_BYTES;
      return { events: rows.map(toEvent), caughtUp, wakeUps: seen };
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
