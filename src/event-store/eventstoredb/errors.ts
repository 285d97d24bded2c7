import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import {
  EventStoreUnavailable,
  InvalidAppend,
  StreamNotWhole,
  WrongExpectedVersion,
  type ExpectedRevision,
} from '../event-store.js';

/** Our own limit ran out before the server said anything. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const CANCELLED = 1;
const UNKNOWN = 2;
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const ABORTED = 10;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const unavailable = new Set([
  CANCELLED,
  UNKNOWN,
  DEADLINE_EXCEEDED,
  RESOURCE_EXHAUSTED,
  ABORTED,
  INTERNAL,
  UNAVAILABLE,
]);

/**
 * Whether the server was not reached or gave no verdict, so that the same call may be tried again. The client
 * rejects with raw gRPC errors while a server is down: the code tells, not the class. A call that a server ends because of
 * an exception has the code UNKNOWN, and with it ends every append that shares the call.
 */
export function isUnavailable(error: unknown): boolean {
  if (isVerdict(error)) return false;
  if (error instanceof NoAnswer || error instanceof NotLeaderError) return true;
  if (!(error instanceof Error)) return false;
  // Errors that the client makes from a refusal inside an answer carry no code; a closed channel's neither.
  if ('type' in error && (error.type === 'deadline-exceeded' || error.type === 'unavailable')) return true;
  if ('code' in error && typeof error.code === 'number') return unavailable.has(error.code);
  // What the client makes of a node's answer while a leader is elected, and while the node is too busy.
  if (error instanceof UnknownError) return true;
  // The last of these where no node of a cluster is there to tell who leads.
  return /channel (has been|is) (shut down|closed)|failed to discover/i.test(error.message);
}

const VERDICTS = [
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
];

/** Tells whether the server decided about this very call, so that it would say the same again. */
export const isVerdict = (error: unknown): boolean =>
  VERDICTS.some((kind) => error instanceof kind) || isNoRecord(error) || isEventTooLarge(error);

/** Returns the port's error for a call without a verdict. */
export function unanswered(cause: unknown): EventStoreUnavailable {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EventStoreUnavailable(`EventStoreDB did not answer: ${reason}`, { cause });
}

/** Tells whether a live reader was dropped because more than 64 events waited for it; the connection itself is fine. */
export const isSlowReader = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === ABORTED;

/** Tells whether the server named another node as leader, to which the client then connects by itself. */
export const isNotLeader = (error: unknown): boolean => error instanceof NotLeaderError;

/** Tells whether no record of the server's log begins at the position to read from. */
export const isNoRecord = (error: unknown): boolean =>
  error instanceof UnknownError && error.message.includes('ReadAllResult');

/** Tells whether one event is over a limit of its own, which a server of 24.10 may have. The client knows no such refusal. */
const isEventTooLarge = (error: unknown): boolean =>
  error instanceof UnknownError && error.message.includes('MaximumAppendEventSizeExceeded');

/** Tells whether the server has no such stream, or one that was deleted and may be appended to again. */
export const isStreamNotFound = (error: unknown): boolean => error instanceof StreamNotFoundError;

/** Converts the client's error of a refused read to the port's; returns other errors unchanged. */
export const toReadRefusal = (error: unknown, stream: string): unknown =>
  error instanceof StreamDeletedError
    ? new StreamNotWhole(stream, 'it was deleted for good', { cause: error })
    : error;

/**
 * Converts the client's error of an append that failed to the port's: whatever is no refusal may have come after it was
 * written. Returns unchanged what is the port's, and that of a caller who may not append.
 */
export function toRefusal(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (error instanceof WrongExpectedVersionError) {
    const actual = typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : 'noStream';
    return new WrongExpectedVersion(stream, expected, actual);
  }
  if (error instanceof MaxAppendSizeExceededError) {
    return new InvalidAppend(`the server takes at most ${error.maxAppendSize} bytes in an append`, {
      cause: error,
    });
  }
  if (isEventTooLarge(error)) {
    return new InvalidAppend('an event is larger than the server takes', { cause: error });
  }
  if (error instanceof StreamDeletedError) return toReadRefusal(error, stream);
  return error instanceof EventStoreUnavailable || error instanceof AccessDeniedError
    ? error
    : unanswered(error);
}
