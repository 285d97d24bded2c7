import type { Database, DatabaseOptions } from '../../src/database/database.js';
import type { Position } from '../../src/event-store/event-store.js';
import type { Logger } from '../../src/logger.js';
import { readCheckpoint, readCheckpoints, type Checkpoint } from '../engine/checkpoint.js';
import type { EventSource } from '../engine/event-source.js';
import { Lane, type Failure, type Flushed } from '../engine/lane.js';
import type { ReadModel } from '../engine/read-model.js';

/** What a rebuild works with: each lane opens a session of its own with `connection`; `signal` gives all up. */
export interface RebuildContext {
  readonly database: Database;
  readonly connection: DatabaseOptions;
  readonly source: EventSource;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** An event that the rebuilt tables cannot take. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
  constructor({ model, event, error }: Failure) {
    const place = `${event.type}, revision ${event.revision} of ${event.stream}, position ${event.position}`;
    super(`${model.projection.name} cannot take ${place}: ${String(error)}`, { cause: error });
  }
}

/**
 * Brings tables that nobody else writes up to a position, or to the end of the log as it is met. They share a
 * checkpoint. Throws `EventRefused`, and the signal's reason when it is aborted.
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

/** Where a schema stands. Throws where it has no checkpoint. */
export async function checkpointOf(context: RebuildContext, schema: string): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(context.database, schema);
  if (!checkpoint) throw new Error(`${schema} has no checkpoint`);
  return checkpoint;
}
