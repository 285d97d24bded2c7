/**
 * A moment in the log for tables that keep history: rows count where `valid_from <= position < valid_until`.
 * `NOW` is beyond every event, so the live answer and the answer as of a moment are one query.
 */
export type Moment = bigint;

export const NOW: Moment = 9_223_372_036_854_775_806n;

/**
 * The `valid_until` of a row that is valid still. Where an index holds such rows alone, the number stands in the
 * statement itself: behind a parameter it is not seen that they are what is asked for.
 */
export const STILL = 9_223_372_036_854_775_807n;
