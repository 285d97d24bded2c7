import { StreamContended } from '../commands/handle.js';
import { hasSqlState, SQL_STATE } from '../database/sql-states.js';
import { GitRefsBusy } from '../git/port/errors.js';
import { ServerStopped } from '../outgoing/remote-failure.js';
import { isAway } from './away.js';
import { lacksRoom } from './no-room.js';

const PASSING = [GitRefsBusy, ServerStopped, StreamContended];

/** PostgreSQL's errors where another transaction was first, or the server is in no state to do its work. */
const HINDERED = [
  SQL_STATE.serialization,
  SQL_STATE.deadlock,
  SQL_STATE.resources,
  SQL_STATE.intervention,
  SQL_STATE.readOnly,
];

/** Tells whether the same work may succeed a moment later, because the error is not about what was asked. */
export const mayPass = (error: unknown): boolean =>
  isAway(error) ||
  PASSING.some((kind) => error instanceof kind) ||
  lacksRoom(error) ||
  hasSqlState(error, ...HINDERED);
