import { fragment } from './sql.js';

/** The `valid_until` of a row that is still valid, in tables with history: the greatest int8. */
export const STILL = 9_223_372_036_854_775_807n;

/**
 * `STILL` for statements, written out as a literal, because PostgreSQL would not recognise a parameter as the condition
 * of an index of such rows.
 */
export const still = fragment`9223372036854775807`;
