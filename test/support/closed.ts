import type { EventEmitter } from 'node:events';

/**
 * Resolves once a socket or request is closed, however that came about: who closes with something unread resets the
 * connection, and `once` of node would reject with that.
 */
export const closed = (what: EventEmitter): Promise<void> =>
  new Promise((resolve) => what.once('close', () => resolve()));
