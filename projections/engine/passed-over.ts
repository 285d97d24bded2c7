import type { Logger } from '../../src/logging/logger.js';
import { handles, type Projection } from '../projection.js';
import type { EventSource } from './event-source.js';

/** How many types are warned about at most. If there are more, another application is writing to the log. */
const MOST_TYPES = 100;

/** Wraps a source to warn once of each type of unreadable events that no projection handles. Such events are skipped. */
export function tellingWhatIsPassed(
  source: EventSource,
  projections: readonly Projection[],
  log: Logger,
): EventSource {
  const told = new Set<string>();
  return {
    async *subscribe(after, options) {
      for await (const batch of source.subscribe(after, options)) {
        for (const { type, stream, revision, position, unreadable } of batch.events) {
          if (!unreadable || told.has(type) || told.size >= MOST_TYPES) continue;
          if (projections.some((projection) => handles(projection, type))) continue;
          told.add(type);
          log.warn(
            { err: unreadable, type, stream, revision, position: String(position) },
            'events of this type cannot be read, and no projection handles them: passed over',
          );
        }
        yield batch;
      }
    },
  };
}
