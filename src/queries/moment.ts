import { fragment } from '../database/sql.js';

/**
 * A position in the log as of which tables with history are read: rows count if `valid_from <= position < valid_until`.
 * `NOW` is beyond every event, so that the same query answers for now and for a moment in the past.
 */
export type Moment = bigint;

export const NOW: Moment = 9_223_372_036_854_775_806n;

/** The `valid_until` of a row that is still valid. */
export const STILL = 9_223_372_036_854_775_807n;

/**
 * `STILL` for statements, written out as a literal, because PostgreSQL would not recognize a parameter as the condition
 * of an index of such rows.
 */
export const still = fragment`9223372036854775807`;
