import { EventStoreUnavailable } from '../event-store/event-store.js';
import { Queues } from '../concurrency/queues.js';

/** Returns queues for work that writes to the log. If one piece finds the log unavailable, those that wait fail at once. */
export const commandQueues = (): Queues => new Queues((error) => error instanceof EventStoreUnavailable);
