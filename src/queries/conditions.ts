import { fragment, type Fragment } from '../database/sql.js';

/** A condition of a statement; undefined for none. */
export type Condition = Fragment | undefined;

/**
 * Joins conditions by `and`. Undefined ones are left out of the statement, because PostgreSQL plans for all values: the
 * plan of `$1 is null or id = $1` reads all rows.
 */
export const allOf = (...conditions: readonly Condition[]): Fragment =>
  conditions.reduce<Fragment>(
    (left, right) => (right ? fragment`${left} and ${right}` : left),
    fragment`true`,
  );

/** Returns the condition for a value; none if the value is null or undefined. */
export const where = <T>(value: T | null | undefined, condition: (value: T) => Fragment): Condition =>
  value === null || value === undefined ? undefined : condition(value);

/** The condition that the time in a column is before `moment` or in the same second. */
export const upToSecondOf = (column: Fragment, moment: Date): Fragment =>
  fragment`${column} < date_trunc('second', ${moment}::timestamptz) + interval '1 second'`;
