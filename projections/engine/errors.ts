import pg from 'pg';
import { hasSqlState, SQL_STATE } from '../../src/database/sql-states.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';

/** Another writer has moved a checkpoint; the transaction was rolled back. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** A handler threw at this event, or the event is unreadable and could not be passed to it. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';
  constructor(
    readonly event: DomainEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The SQLSTATE that the SQL function `projector.fence` raises. */
const FENCED = 'TF001';

/** SQLSTATEs that are not the statement's fault: the same statement may succeed later. */
const TRANSIENT = [
  SQL_STATE.connection,
  SQL_STATE.readOnly,
  SQL_STATE.idleTransaction,
  SQL_STATE.longTransaction,
  SQL_STATE.rolledBack,
  SQL_STATE.resources,
  SQL_STATE.notReady,
  SQL_STATE.intervention,
  SQL_STATE.system,
];

/** Converts the error that `projector.fence` raises to `Fenced`; returns any other error unchanged. */
export function asFenced(error: unknown): unknown {
  return hasSqlState(error, FENCED) ? new Fenced(error.message, { cause: error }) : error;
}

/** Tells whether the same work may succeed later, because the error is not the statement's fault or the connection broke. */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code !== undefined) return hasSqlState(error, ...TRANSIENT);
  return !OURS.some((kind) => error instanceof kind);
}

// Errors of a handler or of the code around it, which a retry does not fix.
const OURS = [Fenced, HandlerFailed, TypeError, RangeError, SyntaxError];
