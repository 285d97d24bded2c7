import { EventStoreUnavailable } from '../event-store/event-store.js';

/**
 * Runs `work`. Where it fails, what it has put into `undo` is done, the last first; not after an unknown outcome, for
 * then it may have come about. What cannot be undone now, others take over.
 */
export async function orUndo<T>(
  undo: readonly (() => Promise<unknown>)[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EventStoreUnavailable))
      for (const each of undo.toReversed()) await each().catch(() => undefined);
    throw error;
  }
}
