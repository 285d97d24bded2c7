/** The maximum length of a rehearsal's lists. */
export const LISTED = 1_000;

/** The first items of a longer list, and the number of all. */
export interface Listed<T> {
  readonly list: readonly T[];
  readonly total: number;
}
