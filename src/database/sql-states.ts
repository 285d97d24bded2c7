import pg from 'pg';

/**
 * Error codes of PostgreSQL by their meaning: a code, or a prefix that some or all codes of a class share (appendix A of its
 * manual).
 */
export const SQL_STATE = {
  /** The connection could not be made, or broke. */
  connection: '08',
  /** A value is invalid for its type. */
  wrongData: '22',
  /** A row violates a constraint. */
  violation: '23',
  /** The server accepts no writes, such as a replica that is yet to be promoted. */
  readOnly: '25006',
  /** The session was ended because its transaction was idle for too long. */
  idleTransaction: '25P03',
  /** The session was ended because its transaction took too long, as a database may prefer. */
  longTransaction: '25P04',
  /** The transaction lost a race and was rolled back: the two codes below, and others. */
  rolledBack: '40',
  serialization: '40001',
  deadlock: '40P01',
  /** The role may not do this. */
  noPrivilege: '42501',
  /** A table is not there, as before the first start of a release. */
  noTable: '42P01',
  /** Disk, memory or connections ran out. */
  resources: '53',
  /** A statement or value beyond what the server handles at all, such as JSON nested too deep. */
  limitExceeded: '54',
  /** Something is not in the state that the statement needs, such as a lock that is not available. */
  notReady: '55',
  /** An operator or a time limit stepped in: the server stops or starts, the statement was cancelled. */
  intervention: '57',
  /** A part of `intervention`: the server ended the session, or refused it. */
  sessionEnded: '57P0',
  /** The machine failed: a file that cannot be read or written. */
  system: '58',
} as const;

/** Tells whether an error is PostgreSQL's with one of these codes. */
export const hasSqlState = (error: unknown, ...states: readonly string[]): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && states.some((state) => error.code?.startsWith(state) === true);
