import { streamOf, type Decider, type Message } from '../domain/decider.js';
import type { EventLog } from './event-log.js';
import type { Position } from '../event-store/event-store.js';

const PAGE = 256;

/** Folds one stream into its state as of `position`: later events do not count. */
export async function foldAsOf<Event extends Message, State>(
  log: Pick<EventLog, 'readStream'>,
  decider: Decider<never, Event, State>,
  id: string | number,
  position: Position,
): Promise<State> {
  const stream = streamOf(decider, id);
  let state = decider.initialState;
  for (let from = 0; ; from += PAGE) {
    const page = await log.readStream(stream, { from, max: PAGE });
    for (const event of page) {
      if (event.position > position) return state;
      state = decider.evolve(state, event as unknown as Event);
    }
    if (page.length < PAGE) return state;
  }
}
