/**
 * A position in the log as of which tables with history are read: rows count if `valid_from <= position < valid_until`.
 * `NOW` is beyond every event, so that the same query answers for now and for a moment in the past.
 */
export type Moment = bigint;

/** The moment after every event. */
export const NOW: Moment = 9_223_372_036_854_775_806n;
