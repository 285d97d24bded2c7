import type { Database, DatabaseOptions } from '../../src/database/database.js';
import type { Position } from '../../src/event-store/event-store.js';
import type { Logger } from '../../src/logging/logger.js';
import { readCheckpoint, readCheckpoints, type Checkpoint } from '../engine/checkpoint.js';
import type { EventSource } from '../engine/event-source.js';
import { Lane, type Failure, type Flushed } from '../engine/lane.js';
import type { ReadModel } from '../engine/read-model.js';

/** The resources of a rebuild. Each lane opens a session of its own with `connection`; `signal` cancels the rebuild. */
export interface RebuildContext {
  readonly database: Database;
  readonly connection: DatabaseOptions;
  readonly source: EventSource;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** An event could not be written to the tables being rebuilt. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
  constructor({ model, event, error }: Failure) {
    const place = `${event.type}, revision ${event.revision} of ${event.stream}, position ${event.position}`;
    super(`${model.projection.name} cannot take ${place}: ${String(error)}`, { cause: error });
  }
}

/**
 * Advances read models that share a checkpoint, and that nobody else writes, to a position or to the log's current end.
 * Rejects with `EventRefused`, or with the signal's reason if it is aborted.
 */
export async function advance(
  context: RebuildContext,
  models: readonly ReadModel[],
  until: Position | 'head',
  onFlushed?: (flushed: Flushed) => void,
): Promise<void> {
  const { database, connection, source, log, signal } = context;
  const schemas = models.map(({ schema }) => schema);
  const [from] = (await readCheckpoints(database, schemas)).values();
  if (!from) return;
  const caughtUp = new AbortController();
  const lane = new Lane(
    {
      database: connection,
      source,
      log,
      notify: false,
      onFailure: (failure) => Promise.reject(new EventRefused(failure)),
      ...(onFlushed && { onFlushed }),
    },
    models,
    from,
  );
  await lane.run({
    signal: AbortSignal.any([signal, caughtUp.signal]),
    ...(until === 'head' ? { onCaughtUp: () => caughtUp.abort() } : { until }),
  });
  signal.throwIfAborted();
}

/** Reads the checkpoint of a schema. Rejects if it has none. */
export async function checkpointOf(context: RebuildContext, schema: string): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(context.database, schema);
  if (!checkpoint) throw new Error(`${schema} has no checkpoint`);
  return checkpoint;
}
