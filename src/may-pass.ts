import pg from 'pg';
import { StreamContended } from './commands/handle.js';
import { DatabaseUnavailable } from './database/unavailable.js';
import { EventStoreUnavailable } from './event-store/event-store.js';
import { GitBusy, GitRefsBusy } from './git/port/errors.js';
import { lacksRoom } from './no-room.js';

const PASSING = [DatabaseUnavailable, EventStoreUnavailable, GitBusy, GitRefsBusy, StreamContended];

/**
 * PostgreSQL lets another transaction go first, lacks a resource such as disk or memory, is told to stop, or takes no
 * writes, as a replica that is yet to be promoted.
 */
const HINDERED = /^(40001|40P01|53|57|25006)/;

/** Whether the same may succeed a moment later: the trouble is not in what was asked. */
export const mayPass = (error: unknown): boolean =>
  PASSING.some((kind) => error instanceof kind) ||
  lacksRoom(error) ||
  (error instanceof pg.DatabaseError && HINDERED.test(error.code ?? ''));
