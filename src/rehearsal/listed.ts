/** How many a list of a rehearsal holds. */
export const LISTED = 1_000;

/** The first of many. */
export interface Listed<T> {
  readonly list: readonly T[];
  readonly total: number;
}
