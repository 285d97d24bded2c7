import type { DomainEvent } from '../domain/domain-event.js';
import type { Position } from '../event-store/event-store.js';
import type { EventLog } from './event-log.js';

/**
 * Reads the events after one position and up to another, or the log's end. One that cannot be read, for example because
 * another program wrote it to a stream that is named like ours, has `unreadable` set: callers that need it use `readable`.
 */
export async function* eventsBetween(
  log: Pick<EventLog, 'subscribe' | 'lastPosition'>,
  after: Position,
  until: Position,
): AsyncIterable<DomainEvent> {
  if (until <= after) return;
  const stop = new AbortController();
  let passed = after;
  try {
    for await (const { events, caughtUp } of log.subscribe(after, {
      signal: stop.signal,
      markUnreadable: true,
    })) {
      for (const event of events) {
        if (event.position > until) return;
        yield event;
        passed = event.position;
      }
      // A subscription may have caught up with a node that has less than the log: the rest comes once that has it.
      if (passed >= until || (caughtUp && (await log.lastPosition()) <= passed)) return;
    }
  } finally {
    stop.abort();
  }
}

/** Returns the same event. Throws if it cannot be read, with a message that names it. */
export function readable<E extends DomainEvent>(event: E): E {
  const { unreadable, type, revision, stream, position } = event;
  if (!unreadable) return event;
  const place = `${type}, revision ${revision} of ${stream}, position ${position}`;
  throw new Error(`${place}, cannot be read: ${unreadable.message}`, { cause: unreadable });
}
