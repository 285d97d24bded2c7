import type { DomainEvent } from '../domain/domain-event.js';
import type { Position } from '../event-store/event-store.js';
import type { EventLog } from './event-log.js';

/** The events after one position and up to another, as many as the log has of them. */
export async function* eventsBetween(
  log: Pick<EventLog, 'subscribe'>,
  after: Position,
  until: Position,
): AsyncIterable<DomainEvent> {
  if (until <= after) return;
  const stop = new AbortController();
  try {
    for await (const { events, caughtUp } of log.subscribe(after, { signal: stop.signal })) {
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
