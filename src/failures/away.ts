import { DatabaseUnavailable } from '../database/unavailable.js';
import { EventStoreUnavailable } from '../event-store/event-store.js';
import { GitBusy } from '../git/port/errors.js';

const AWAY = [DatabaseUnavailable, EventStoreUnavailable, GitBusy];

/** Tells whether an error says that PostgreSQL, EventStoreDB or what starts git is away, as each is after it was killed. */
export const isAway = (error: unknown): boolean => AWAY.some((kind) => error instanceof kind);
