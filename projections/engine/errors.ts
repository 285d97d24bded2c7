import pg from 'pg';
import { hasSqlState, SQL_STATE } from '../../src/database/sql-states.js';
import type { ProjectedEvent } from '../projection.js';

/** Another writer moved a checkpoint: nothing of the transaction was written. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** A handler threw at this event, or cannot be given it because it is unreadable. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';
  constructor(
    readonly event: ProjectedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The code that `projector.fence` raises. */
const FENCED = 'TF001';

/** Codes that blame no statement: the same one may go through later. */
const TRANSIENT = [
  SQL_STATE.connection,
  SQL_STATE.readOnly,
  SQL_STATE.idleTransaction,
  SQL_STATE.rolledBack,
  SQL_STATE.resources,
  SQL_STATE.notReady,
  SQL_STATE.intervention,
  SQL_STATE.system,
];

/** The database's word for a fenced-off write as `Fenced`; any other error as it is. */
export function asFenced(error: unknown): unknown {
  return hasSqlState(error, FENCED) ? new Fenced(error.message, { cause: error }) : error;
}

/** Whether the same work may pass later: PostgreSQL does not blame the statement, or the connection broke. */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code !== undefined) return hasSqlState(error, ...TRANSIENT);
  return !OURS.some((kind) => error instanceof kind);
}

// Mistakes in a handler or in the code around it; trying again mends none of them.
const OURS = [Fenced, HandlerFailed, TypeError, RangeError, SyntaxError];
