import type { EventLog } from '../../src/event-log/event-log.js';
import type { Position } from '../../src/event-store/event-store.js';

/** Resolves once an event of that type was appended after a position. */
export async function appendedAfter(
  log: Pick<EventLog, 'subscribe'>,
  position: Position,
  type: string,
): Promise<void> {
  const { signal } = new AbortController();
  for await (const { events } of log.subscribe(position, { signal }))
    if (events.some((event) => event.type === type)) return;
}
