import { WrongExpectedVersion, type Appended, type EventStore } from '../../event-store/event-store.js';
import type { Metrics } from '../server/metrics.js';

/** Counts the appends of a store by outcome, from now on. */
export function countAppends(store: EventStore, metrics: Metrics): void {
  const append = store.append.bind(store);
  store.append = async (stream, expected, events): Promise<Appended> => {
    try {
      const appended = await append(stream, expected, events);
      metrics.appended('appended');
      return appended;
    } catch (error) {
      metrics.appended(error instanceof WrongExpectedVersion ? 'conflict' : 'failed');
      throw error;
    }
  };
}
