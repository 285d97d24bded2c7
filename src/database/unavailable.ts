import pg from 'pg';
import { hasSqlState, SQL_STATE } from './sql-states.js';

/** The connection is lost, or cannot be made. It is unknown whether a statement under way was carried out. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Returns `DatabaseUnavailable` for an error of the connection; the error itself where the server refused a statement. */
export const unavailableIfLost = (error: unknown, message: string): unknown =>
  error instanceof DatabaseUnavailable || (error instanceof pg.DatabaseError && !isCut(error))
    ? error
    : new DatabaseUnavailable(message, { cause: error });

/** After what the server ends a session. */
const CUT = [
  SQL_STATE.connection,
  SQL_STATE.sessionEnded,
  SQL_STATE.idleTransaction,
  SQL_STATE.longTransaction,
];

/** Tells whether the server has ended the session with this error. */
export const isCut = (error: unknown): boolean => hasSqlState(error, ...CUT);
