import { fragment } from '../database/sql.js';

/**
 * A moment in the log for tables that keep history: rows count where `valid_from <= position < valid_until`.
 * `NOW` is beyond every event, so the live answer and the answer as of a moment are one query.
 */
export type Moment = bigint;

export const NOW: Moment = 9_223_372_036_854_775_806n;

/** The `valid_until` of a row that is valid still. */
export const STILL = 9_223_372_036_854_775_807n;

/**
 * `STILL` as it stands in statements: written out, for behind a parameter PostgreSQL does not see that it is what an index of
 * such rows holds.
 */
export const still = fragment`9223372036854775807`;
