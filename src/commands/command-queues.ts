import { EventStoreUnavailable } from '../event-store/event-store.js';
import { Queues } from '../queues.js';

/** Queues for work that writes to the log: what waits in them fails as soon as another has found the log unavailable. */
export const commandQueues = (): Queues => new Queues((error) => error instanceof EventStoreUnavailable);
