import { hasSqlState, SQL_STATE } from '../database/sql-states.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import { EventStoreUnavailable, PositionNotInLog } from '../event-store/event-store.js';
import { GitUnfit } from '../git/port/errors.js';
import { foundDiskFull } from './no-room.js';

/** Formats the error that ended a program for the person who ran it: what went wrong and, if known, what to do about it. */
export function explained(error: unknown): string {
  const advice = adviceOn(error);
  return advice === undefined ? reasonOf(error) : `${reasonOf(error)}\n${advice}`;
}

/** Marks an error of listening, also one of looking up the host, so that `adviceOn` recognises it. */
export const ofListening = (error: unknown): Error => Object.assign(error as Error, { syscall: 'listen' });

/**
 * Returns what to do about an error of the network, the database, the event log, the disk or git; undefined for any other
 * error.
 */
export function adviceOn(error: unknown): string | undefined {
  const { syscall, code = '' } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') return LISTENING[code];
  if (error instanceof EventStoreUnavailable)
    return 'Is the event log running? EVENTSTORE_URL says where it is, and whose certificates are trusted. If that is not set, it is in the database of DATABASE_URL.';
  if (error instanceof PositionNotInLog)
    return 'The log is another one, or older than this database: restore a database of the same moment or of an earlier one.';
  if (isRefusedByEventStoreDb(error)) return 'EVENTSTORE_URL says who signs in at EventStoreDB.';
  if (error instanceof DatabaseUnavailable || isFailedConnection(error))
    return 'Is PostgreSQL running? DATABASE_URL says where it is, and who signs in.';
  if (hasSqlState(error, SQL_STATE.noPrivilege))
    return 'DATABASE_URL says who signs in: the database must be theirs, or grant them CREATE.';
  if (foundDiskFull(error)) return 'The disk is full: make room on it, and run this again.';
  if (error instanceof GitUnfit) return `Install git ${error.needed} or later.`;
  if (hasSqlState(error, SQL_STATE.noTable))
    return 'Tables of this release are missing: npm start makes them.';
  return undefined;
}

/** The gRPC status codes PERMISSION_DENIED and UNAUTHENTICATED. */
const REFUSED: readonly unknown[] = [7, 16];

const isRefusedByEventStoreDb = (error: unknown) =>
  error instanceof Error && 'code' in error && REFUSED.includes(error.code);

const ELSEWHERE = 'HOST is not an address of this machine: set one that is, or 0.0.0.0 for all of them.';

const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program listens there: stop it, or set another PORT.',
  EADDRNOTAVAIL: ELSEWHERE,
  ENOTFOUND: ELSEWHERE,
  EAI_AGAIN: ELSEWHERE,
  EACCES: 'Ports below 1024 are not for everybody: set another PORT.',
};

/** Codes of a host that cannot be reached, and PostgreSQL's for a session that it does not admit (SQLSTATE 28, 3D). */
const FAILED_CONNECTION = /^(E(CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN)|28...|3D000)$/;

const isFailedConnection = (error: unknown) =>
  error instanceof Error && 'code' in error && FAILED_CONNECTION.test(String(error.code));

/**
 * Returns the message, with that of the cause. Connecting to a name with several addresses fails with an error for each
 * address and no message of its own.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof DatabaseUnavailable || error instanceof EventStoreUnavailable)) return error.message;
  const reason = error.cause === undefined ? '' : reasonOf(error.cause);
  return error.message.endsWith(reason) ? error.message : `${error.message}: ${reason}`;
}
