import { StreamContended } from './commands/handle.js';
import { hasSqlState, SQL_STATE } from './database/sql-states.js';
import { DatabaseUnavailable } from './database/unavailable.js';
import { EventStoreUnavailable } from './event-store/event-store.js';
import { GitBusy, GitRefsBusy } from './git/port/errors.js';
import { lacksRoom } from './no-room.js';

const PASSING = [DatabaseUnavailable, EventStoreUnavailable, GitBusy, GitRefsBusy, StreamContended];

/** What PostgreSQL answers where another transaction went first, or it is in no state to do what was asked. */
const HINDERED = [
  SQL_STATE.serialization,
  SQL_STATE.deadlock,
  SQL_STATE.resources,
  SQL_STATE.intervention,
  SQL_STATE.readOnly,
];

/** Whether the same may succeed a moment later: the trouble is not in what was asked. */
export const mayPass = (error: unknown): boolean =>
  PASSING.some((kind) => error instanceof kind) || lacksRoom(error) || hasSqlState(error, ...HINDERED);
