import { EventStoreUnavailable } from '../event-store/event-store.js';

/**
 * Runs `work`. If it fails, runs the steps that it has added to `undo`, the last one first; but not after
 * `EventStoreUnavailable`, because then the work may have been done. A step that fails is passed over.
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
