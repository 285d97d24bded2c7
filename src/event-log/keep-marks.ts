import { pause } from '../concurrency/pause.js';
import type { Logger } from '../logging/logger.js';
import type { EventLog } from './event-log.js';

const EVERY_MS = 60_000;

/**
 * Searches for the present every minute, until aborted. In EventStoreDB, where a time is found by reading on from the mark
 * before it, this leaves a mark every few thousand events, so that no request has to read much of the log.
 */
export async function keepMarks(
  log: Pick<EventLog, 'positionAt'>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await log.positionAt(new Date()).catch((error: unknown) => {
      logger.warn({ err: error }, 'the times of the log were not noted');
    });
    await pause(EVERY_MS, signal);
  }
}
