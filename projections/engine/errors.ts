import pg from 'pg';
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

// Connection, resources, operator, system, a lost race for locks, a session that was cut, a server that is yet to be
// promoted and takes no writes: the same may pass later.
const TRANSIENT = /^(08|40|53|55|57|58|25P03|25006)/;

/** The database's word for a fenced-off write as `Fenced`; any other error as it is. */
export function asFenced(error: unknown): unknown {
  return error instanceof pg.DatabaseError && error.code === FENCED
    ? new Fenced(error.message, { cause: error })
    : error;
}

/** Whether the same work may pass later: PostgreSQL does not blame the statement, or the connection broke. */
export function isTransient(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code !== undefined) return TRANSIENT.test(error.code);
  return !OURS.some((kind) => error instanceof kind);
}

// Mistakes in a handler or in the code around it; trying again mends none of them.
const OURS = [Fenced, HandlerFailed, TypeError, RangeError, SyntaxError];
