import { regularly } from '../concurrency/regularly.js';
import type { Logger } from '../logging/logger.js';
import { warning } from '../logging/warning.js';
import type { EventLog } from './event-log.js';

const EVERY_MS = 60_000;

/**
 * Searches for the present every minute, until aborted. In EventStoreDB, where a time is found by reading on from the mark
 * before it, this leaves a mark every few thousand events, so that no request has to read much of the log.
 */
export const keepMarks = (
  log: Pick<EventLog, 'positionAt'>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> =>
  regularly(
    () => log.positionAt(new Date()),
    EVERY_MS,
    warning(logger, 'the times of the log were not noted'),
    signal,
  );
