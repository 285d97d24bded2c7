import { fragment, type Fragment } from '../database/sql.js';

/** A condition of a statement; undefined where nothing is asked for. */
export type Condition = Fragment | undefined;

/**
 * All of these; what is undefined is not in the statement. Plans are made for all values: that of `$1 is null or id = $1`
 * reads everything.
 */
export const allOf = (...conditions: readonly Condition[]): Fragment =>
  conditions.reduce<Fragment>(
    (left, right) => (right ? fragment`${left} and ${right}` : left),
    fragment`true`,
  );

/** The condition that a value is asked for by, where there is one. */
export const where = <T>(value: T | null | undefined, condition: (value: T) => Fragment): Condition =>
  value === null || value === undefined ? undefined : condition(value);

/** That a column's moment is before another or in the same second. */
export const upToSecondOf = (column: Fragment, moment: Date): Fragment =>
  fragment`${column} < date_trunc('second', ${moment}::timestamptz) + interval '1 second'`;
