import type { DomainEvent } from '../domain/domain-event.js';
import type { Position } from '../event-store/event-store.js';
import type { EventLog } from './event-log.js';

/**
 * The events after one position and up to another, as many as the log has of them. One that cannot be read, as those of
 * other programs whose streams are named as ours, has `unreadable`: whom it concerns asks with `readable`.
 */
export async function* eventsBetween(
  log: Pick<EventLog, 'subscribe'>,
  after: Position,
  until: Position,
): AsyncIterable<DomainEvent> {
  if (until <= after) return;
  const stop = new AbortController();
  try {
    for await (const { events, caughtUp } of log.subscribe(after, {
      signal: stop.signal,
      markUnreadable: true,
    })) {
      for (const event of events) {
        if (event.position > until) return;
        yield event;
      }
      if (caughtUp) return;
    }
  } finally {
    stop.abort();
  }
}

/** The same event. Throws where it cannot be read, and says which one it is. */
export function readable<E extends DomainEvent>(event: E): E {
  const { unreadable, type, revision, stream, position } = event;
  if (!unreadable) return event;
  const place = `${type}, revision ${revision} of ${stream}, position ${position}`;
  throw new Error(`${place}, cannot be read: ${unreadable.message}`, { cause: unreadable });
}
