import type { Logger } from './logger.js';
import { pause } from './pause.js';

const EVERY_MS = 60_000;
const BETWEEN_BATCHES_MS = 100;

/** Rows that go in one statement at most. */
export const BATCH = 5_000;

/** Has what is too old removed, batch by batch, as it comes of age; until it is aborted. `remove` answers with how many. */
export async function keepHouse(
  remove: () => Promise<number>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const removed = await remove().catch((error: unknown) => {
      logger.warn({ err: error }, 'what is too old was not removed');
      return 0;
    });
    await pause(removed === BATCH ? BETWEEN_BATCHES_MS : EVERY_MS, signal);
  }
}
