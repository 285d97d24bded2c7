/** Pauses between attempts, in milliseconds: about `first`, doubled each time, never more than `most`. */
export interface BackOff {
  readonly first: number;
  readonly most: number;
}

/** The pause after this many failures in a row: a random half of it or more, so that retries spread out. */
export const pauseAfter = (failures: number, { first, most }: BackOff): number =>
  Math.min(most, first * 2 ** Math.min(failures - 1, 30)) * (0.5 + Math.random() / 2);
